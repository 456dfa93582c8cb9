// @ts-nocheck: there are no types of Node.js here
// zlib for Node.js, with the functions of zlib_pako.js.

import { constants, deflateSync, inflateSync } from 'node:zlib';

// As in common/table/codec_zlib.c.
const SETTINGS = { level: 1, windowBits: 14, memLevel: 6, strategy: constants.Z_RLE };

export function deflate(bytes, output) {
  const packed = deflateSync(bytes, { ...SETTINGS, chunkSize: 2 * bytes.length + 64 });
  output.set(packed);
  return packed.length;
}

export function inflate(packed, output) {
  try {
    const options = { info: true, chunkSize: output.length + 64, maxOutputLength: output.length };
    const { buffer, engine } = inflateSync(packed, options);
    output.set(buffer);
    return engine.bytesWritten === packed.length ? buffer.length : -1;
  } catch (error) {
    if (error.code === 'Z_MEM_ERROR') throw error;
    return -1;
  }
}
