// The parts of a table file, read by hand from docs/FORMATS.md. The tests use no other knowledge of the format.
// From the environment: PYTHON (a program; optional).

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';

const OFFSETS = {
  fileSize: 80,
  blocks: 92, // of codes
  codesChecksum: 96,
};
export const HEADER_BYTES = 112; // the list follows
const ITEM_BYTES = 16; // of the list: the end of a block, 8 bytes, and a checksum

/** Divides a table: the list has an item for each block of codes, then for as many blocks of traps. */
export function divideTable(table) {
  const codes = table.readUInt32LE(OFFSETS.blocks);
  const begin = HEADER_BYTES + 2 * codes * ITEM_BYTES;
  const blocks = [];
  let from = begin;
  for (let number = 0; number < 2 * codes; number++) {
    const end = Number(table.readBigUInt64LE(HEADER_BYTES + number * ITEM_BYTES));
    blocks.push(table.subarray(from, end));
    from = end;
  }
  return { headerAndList: table.subarray(0, begin), codes, blocks };
}

/** Puts a table together of which header or blocks have been changed. The checksums are those of before. */
export function joinTable(headerAndList, blocks) {
  const start = Buffer.from(headerAndList);
  let end = start.length;
  for (const [number, block] of blocks.entries()) {
    end += block.length;
    start.writeBigUInt64LE(BigInt(end), HEADER_BYTES + number * ITEM_BYTES);
  }
  return Buffer.concat([start, ...blocks]);
}

/** Corrects the checksums in the files of tables, except those of the codes. */
export const seal = (...paths) =>
  execFileSync(process.env.PYTHON ?? 'python3', [fileURLToPath(new URL('../seal.py', import.meta.url)), ...paths]);

/**
 * What a table has, however it is compressed: the header up to the size of the file, the checksum of all codes, and the
 * uncompressed blocks.
 */
export function contentsOf(table) {
  const { blocks } = divideTable(table);
  return {
    header: table.subarray(0, OFFSETS.fileSize),
    checksum: table.subarray(OFFSETS.codesChecksum, OFFSETS.codesChecksum + 8),
    blocks: blocks.map((block) => (block.length ? inflateSync(block) : null)),
  };
}
