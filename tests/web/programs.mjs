// What the programs print, for the tests of the page. From the environment: NEUTREEKO, NEUTREEKO_SOLVE (programs) and
// NEUTREEKO_TABLE (perfect_move.dat).

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { inflateSync } from 'node:zlib';

const { NEUTREEKO, NEUTREEKO_SOLVE, NEUTREEKO_TABLE } = process.env;

/** A directory for the files of a test. */
export const folder = mkdtempSync(join(tmpdir(), 'neutreeko-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The output of neutreeko, with the standard table unless the arguments name another. */
export function native(input, ...args) {
  const table = args.some((arg) => arg.startsWith('--table=')) ? [] : [`--table=${NEUTREEKO_TABLE}`];
  return execFileSync(NEUTREEKO, [...args, ...table], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
}

const jsonLines = (text) => text.trim().split('\n').map((line) => JSON.parse(line));
/** What `neutreeko query` prints about a position, or a list of them. */
export const query = (positions, ...args) => jsonLines(native([positions].flat().join('\n'), 'query', '--json', '-', ...args));
/** What `neutreeko review` prints about a game. */
export const review = (game) => JSON.parse(native(game, 'review', '--json', '-'));
export const puzzles = (count, seed, ...args) => jsonLines(native('', 'puzzle', '--json', `--count=${count}`, `--seed=${seed}`, ...args));

/** Solves a board, such as 4x4/3 or 5x5/3/diagonal. Returns the path of its table. */
export function solveNatively(name, ...args) {
  const [board, pieces, win = 'line'] = name.split('/');
  const path = join(folder, `${[name.replaceAll('/', '-'), ...args].join('-')}.dat`);
  if (!existsSync(path)) execFileSync(NEUTREEKO_SOLVE, ['--quiet', '--board', board, '--pieces', pieces, '--win', win, '-o', path, ...args]);
  return path;
}

/** What a table has, however it is compressed: the header up to the size of the file, the checksum of all codes, and the inflated blocks. */
export function contentsOf(table) {
  const list = 112; // docs/perfect_move.md
  const ends = Array.from({ length: 2 * table.readUInt32LE(92) }, (_, block) => Number(table.readBigUInt64LE(list + 16 * block)));
  const begins = [list + 16 * ends.length, ...ends];
  const blocks = ends.map((end, block) => (end > begins[block] ? inflateSync(table.subarray(begins[block], end)) : null));
  return [table.subarray(0, 80), table.subarray(96, 104), ...blocks];
}
