// What a table has, however it is compressed.

import { inflateSync } from 'node:zlib';

/** The header up to the size of the file, the checksum of all codes, and the inflated blocks. */
export function contentsOf(table) {
  const list = 112; // docs/perfect_move.md
  const ends = Array.from({ length: 2 * table.readUInt32LE(92) }, (_, block) => Number(table.readBigUInt64LE(list + 16 * block)));
  const begins = [list + 16 * ends.length, ...ends];
  const blocks = ends.map((end, block) => (end > begins[block] ? inflateSync(table.subarray(begins[block], end)) : null));
  return [table.subarray(0, 80), table.subarray(96, 104), ...blocks];
}
