// The worker of web/solve.js in a browser.

import { work } from './solver.js';

addEventListener('message', ({ data }) => work(data, (message, transfer) => postMessage(message, { transfer })));
