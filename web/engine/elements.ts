// What the page contains in elements, as web/page/bundle.mjs puts it there: the module, which load.ts can read, and the
// program of the worker, which it hands over. And the worker of the page, which solves its board and answers questions
// about it (worker.ts).

import { Engine } from './engine.js';
import { type Bytes, damaged, EngineError, Module, uncompressed } from './module.js';
import { openContents, solveInMemory, type Started, useWorker } from './solve.js';

import type { Board, Progress } from './api.js';
import type { Asked, Posted, Questions, Solved } from './worker.js';

/** The bytes of an element. */
export type Read = (id: string) => Bytes;

let read: Read;
let script: string;

function bytesIn(id: string) {
  try {
    return read(id);
  } catch {
    throw damaged();
  }
}

/** Starts a worker (worker.ts) with the script of the engine. */
function startWorker() {
  const url = URL.createObjectURL(new Blob([script, 'neutreekoEngine.answerMessages()'], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
}

// ---- the worker ----

/** The worker has failed, and answers no question. */
export class WorkerLost extends Error {}

/** A board that has been solved, and how many of its positions end after each number of plies. */
interface SolvedBoard {
  solved: Solved;
  byPlies: number[];
}

/**
 * Starts the worker of a board. `solved` resolves to what it has found; it rejects with an EngineError, or WorkerLost.
 * `ask(question)` resolves to the answer; it rejects with the error of a question that has none, or WorkerLost.
 * `onProgress`, which the page sets, is called with how far it is.
 */
export function startSolver(board: Partial<Board>) {
  // By the number of the question.
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let questions = 0;
  let fault = ''; // why the worker has ended
  let worker: Started | null = null;
  let finish: { resolve(found: SolvedBoard): void; reject(error: Error): void };
  const solved = new Promise<SolvedBoard>((resolve, reject) => (finish = { resolve, reject }));
  solved.catch(() => {}); // who asks for it, handles it
  /** A worker that has failed answers nothing any more, though it may not have ended. */
  function lose(why: string) {
    fault = why;
    worker?.terminate();
    finish.reject(new WorkerLost(why));
    for (const { reject } of waiting.values()) reject(new WorkerLost(why));
    waiting.clear();
  }
  function settle(message: Posted) {
    if ('progress' in message) return solver.onProgress(message.progress);
    if ('solved' in message) return finish.resolve(message);
    if ('failure' in message) return finish.reject(new EngineError(message.failure.code, message.failure.message));
    const question = waiting.get(message.id);
    waiting.delete(message.id);
    return message.error === undefined ? question?.resolve(message.answer) : question?.reject(new Error(message.error));
  }
  try {
    worker = useWorker(startWorker(), settle, lose);
    worker.post({ wasm: bytesIn('neutreeko-wasm'), board });
  } catch (error) {
    if (error instanceof EngineError) throw error;
    lose('the worker could not be started');
  }
  const solver = {
    solved,
    onProgress: (_: Progress): void => {},
    ask<What extends keyof Questions>(question: Asked<What>): Promise<ReturnType<Questions[What]>> {
      const id = questions++;
      worker?.post({ ...question, id });
      return new Promise((resolve, reject) => {
        if (fault) reject(new WorkerLost(fault));
        else waiting.set(id, { resolve: (answer) => resolve(answer as ReturnType<Questions[What]>), reject });
      });
    },
    isLost: () => Boolean(fault),
  };
  return solver;
}

export type Solver = ReturnType<typeof startSolver>;

// ---- the page ----

const openModule = async () => Module.instantiate(await uncompressed(bytesIn('neutreeko-wasm')));
let instance: Promise<Module>;
let first: Solver | null = null; // of the standard board

/**
 * Begins what the page needs before its program has been read: the module and, if its address names no other board, the
 * worker, which solves the standard one.
 */
export function load(reader: Read, engine: string, hash: string) {
  read = reader;
  script = engine;
  instance = openModule();
  instance.catch(() => {}); // the page reports what fails
  if (!/[#&]board=/.test(hash)) first = startSolver({});
}

/** The rules of a board, and what it takes: an engine without values. */
export async function openRules(board: Partial<Board>): Promise<Engine> {
  const module = await instance;
  module.useBoard(board);
  return new Engine(module, false);
}

/** The worker of a board, with the one that has been started if that is the standard one. */
export function solverOf(board: Board, isStandard: boolean) {
  const solver = (isStandard && first) || startSolver(board);
  first = null;
  return solver;
}

/** The engine with the values of the board, of which the page had the rules. */
export async function openSolved(solved: Solved): Promise<Engine> {
  const module = await instance;
  if ('contents' in solved) openContents(module, solved.contents);
  else await module.open(solved.table);
  return new Engine(module, 'contents' in solved);
}

const TURN = 8; // milliseconds before a pause

/** Solves the board in the page itself, where no worker can be started, with pauses in which the page reacts. */
export async function solveHere(): Promise<{ engine: Engine; byPlies: number[] }> {
  const module = await instance;
  let byPlies: number[] = [];
  let begin = -TURN;
  for (const progress of solveInMemory(module)) {
    byPlies = progress.by_plies;
    if (performance.now() - begin < TURN) continue;
    await new Promise((resolve) => setTimeout(resolve));
    begin = performance.now();
  }
  return { engine: new Engine(module, true), byPlies };
}
