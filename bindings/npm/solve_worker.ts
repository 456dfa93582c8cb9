// The worker of solve() and verify() in browsers.

import { work } from '../../web/engine/solver.js';

addEventListener('message', ({ data }) => work(data, (message, transfer = []) => postMessage(message, { transfer })));
