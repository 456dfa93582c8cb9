// What the programs print and the engine, for the tests of the page. From the environment: NEUTREEKO, NEUTREEKO_SOLVE
// (programs), NEUTREEKO_WASM (the module) and NEUTREEKO_TABLE (perfect_move.dat).

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

import { loadEngine } from '../../web/engine/engine.js';

const { NEUTREEKO, NEUTREEKO_SOLVE, NEUTREEKO_WASM, NEUTREEKO_TABLE } = process.env;

/** A directory for the files of a test. */
export const folder = mkdtempSync(join(tmpdir(), 'neutreeko-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let standard;
/** The engine with the standard table. */
export const loadStandard = () =>
  (standard ??= loadEngine(readFileSync(NEUTREEKO_WASM), readFileSync(NEUTREEKO_TABLE)));

/** The output of neutreeko, with the standard table unless the arguments name another. */
export function native(input, ...args) {
  const table = args.some((arg) => arg.startsWith('--table=')) ? [] : [`--table=${NEUTREEKO_TABLE}`];
  return execFileSync(NEUTREEKO, [...args, ...table], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
}

const jsonLines = (text) => text.trim().split('\n').map((line) => JSON.parse(line));

/** What `neutreeko query` prints about a position, or a list of them. */
export function query(positions, ...args) {
  const input = [positions].flat().join('\n');
  return jsonLines(native(input, 'query', '--json', '-', ...args));
}

/** What `neutreeko review` prints about a game. */
export const review = (game) => JSON.parse(native(game, 'review', '--json', '-')).games[0];

/** What `neutreeko puzzle` prints. */
export const puzzles = (count, seed, ...args) =>
  jsonLines(native('', 'puzzle', '--json', `--count=${count}`, `--seed=${seed}`, ...args));

/** Solves a board, such as 4x4/3 or 5x5/3/diagonal. Returns the path of its table. */
export function solveNatively(name, ...args) {
  const [board, pieces, win = 'line'] = name.split('/');
  const path = join(folder, `${[name.replaceAll('/', '-'), ...args].join('-')}.dat`);
  const options = ['--quiet', '--board', board, '--pieces', pieces, '--win', win, '-o', path];
  if (!existsSync(path)) execFileSync(NEUTREEKO_SOLVE, [...options, ...args]);
  return path;
}
