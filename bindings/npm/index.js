// The package: it contains the module and the program of the worker, so that Node.js, browsers and bundlers need no
// configuration. check.mjs lists which files the imports without a path are.

import engine from 'engine.wasm';
import program from 'worker.txt';
import { EngineError, openTable, solveStandard } from '../../web/engine/engine.js';
import {
  estimate as estimateWith,
  solve as solveWith,
  useWorker,
  verify as verifyWith,
} from '../../web/engine/solve.js';

export { EngineError, loadEngine, openTable } from '../../web/engine/engine.js';

// Node.js has other workers than browsers: the program finds there what it uses.
const PRELUDE = `const { parentPort } = require('node:worker_threads');
globalThis.postMessage = (message, { transfer } = {}) => parentPort.postMessage(message, transfer);
globalThis.addEventListener = (_, listen) => parentPort.on('message', (data) => listen({ data }));
`;
const NODE_WORKERS = 'node:worker_threads'; // in a variable, which bundlers do not look for

/** @type {import('../../web/engine/solve.js').Host['start']} */
async function startInNode(onMessage, onError) {
  const { Worker } = await import(/* @vite-ignore */ /* webpackIgnore: true */ NODE_WORKERS);
  const worker = new Worker(PRELUDE + program, { eval: true, execArgv: [] }); // not --input-type=module
  worker.on('message', onMessage).on('error', (error) => onError(error.message));
  worker.on('exit', () => onError('it ended'));
  return { post: (job, transfer) => worker.postMessage(job, transfer), terminate: () => worker.terminate() };
}

/** @type {import('../../web/engine/solve.js').Host['start']} */
function startInBrowser(onMessage, onError) {
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return useWorker(worker, onMessage, onError);
}

const host = { wasm: async () => engine, start: globalThis.Worker ? startInBrowser : startInNode };

const NODE_FILES = 'node:fs/promises';

const isAddress = (source) => typeof source === 'string' || source instanceof URL;

/** Reads a file of Node.js, which has a path where browsers have an address. @param {any} source */
async function contentOf(source) {
  if (!isAddress(source) || globalThis.Worker || /^(https?|data|blob):/.test(String(source))) return source;
  const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ NODE_FILES);
  return readFile(source).catch((error) => {
    throw new EngineError('read', `cannot read the table: ${error.message}`);
  });
}

/** Names the table in the error of what is not a table or damaged. @param {any} source */
function naming(source) {
  return (error) => {
    const isNamed = isAddress(source) && !/^(data|blob):/.test(source) && ['not_table', 'corrupt'].includes(error.code);
    throw isNamed ? new EngineError(error.code, `${source}: ${error.message}`, error) : error;
  };
}

async function loadContent(content, options) {
  const loaded = await openTable(engine, content, options);
  await loaded.finish();
  return loaded;
}

export const load = async (source, options) =>
  source === undefined
    ? solveStandard(engine)
    : loadContent(await contentOf(source), options).catch(naming(source));

export const solve = (board, options) => solveWith(board, { ...options, host });
export const verify = async (source, options) =>
  verifyWith(await contentOf(source), { ...options, host }).catch(naming(source));
export const estimate = (board, device) => estimateWith(board, device, host);
