// The worker of solve() in browsers.

import { work } from '../../web/engine/solve.js';

addEventListener('message', ({ data }) => work(data, (message, transfer = []) => postMessage(message, { transfer })));
