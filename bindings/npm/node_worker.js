// The worker of solve() and verify() in Node.js.

import { parentPort } from 'node:worker_threads';
import { work } from '../../web/engine/solver.js';

parentPort.once('message', (job) => work(job, (message, transfer) => parentPort.postMessage(message, transfer)));
