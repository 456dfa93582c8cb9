// Compression for the WebAssembly module, which has no zlib: the functions that common/table/compression.c imports. The
// browsers' own streams of compression are asynchronous. The memory of a module exists only after these functions have
// been passed to it. Modules pass addresses from 2 GiB on as negative numbers.

/**
 * @license pako
 * Copyright (C) 2014-2017 by Vitaly Puzrin and Andrei Tuputcyn
 * (C) 1995-2013 Jean-loup Gailly and Mark Adler
 * SPDX-License-Identifier: MIT AND Zlib
 */

import {
  Z_FINISH,
  Z_RLE,
  Z_STREAM_END,
  ZStream,
  zlibDeflate,
  zlibDeflateInit2,
  zlibDeflateReset,
  zlibInflate,
  zlibInflateInit2,
  zlibInflateReset,
} from 'pako';

type Bytes = Uint8Array<ArrayBuffer>;

const [LEVEL, DEFLATED, WINDOW_BITS, MEMORY_LEVEL] = [1, 8, 14, 6]; // as in common/table/compression.c
const GREATEST_WINDOW_BITS = 15; // of any stream

// They are used again, as each takes much memory.
let deflating: ZStream | undefined;
let inflating: ZStream | undefined;

/** Has a stream go from all of the input to the output. */
function begin(stream: ZStream, input: Bytes, output: Bytes) {
  Object.assign(stream, { input, next_in: 0, avail_in: input.length, output, next_out: 0, avail_out: output.length });
}

/** Compresses bytes. Returns the length of the stream in `output`, which has enough room. */
export function deflate(bytes: Bytes, output: Bytes) {
  if (!deflating) {
    deflating = new ZStream();
    zlibDeflateInit2(deflating, LEVEL, DEFLATED, WINDOW_BITS, MEMORY_LEVEL, Z_RLE);
  }
  zlibDeflateReset(deflating);
  begin(deflating, bytes, output);
  zlibDeflate(deflating, Z_FINISH);
  return deflating.next_out;
}

/**
 * Uncompresses the stream that `packed` consists of. Returns how many bytes there are, or -1 if it is not one stream or
 * `output` has not enough room.
 */
export function inflate(packed: Bytes, output: Bytes) {
  if (!inflating) {
    inflating = new ZStream();
    zlibInflateInit2(inflating, GREATEST_WINDOW_BITS);
  }
  zlibInflateReset(inflating);
  begin(inflating, packed, output);
  return zlibInflate(inflating, Z_FINISH) === Z_STREAM_END && !inflating.avail_in ? inflating.next_out : -1;
}

export const compressor = (memory: () => WebAssembly.Memory) => ({
  /** Compresses bytes to a stream at the address `packed`. Returns its length. */
  compress(address: number, length: number, packed: number) {
    const { buffer } = memory();
    return deflate(new Uint8Array(buffer, address >>> 0, length), new Uint8Array(buffer, packed >>> 0));
  },
});

export const uncompressor = (memory: () => WebAssembly.Memory) => ({
  /**
   * Uncompresses the stream at the address `packed`. Returns how many bytes there are, or -1 if it is not one stream or
   * has more than `room` bytes.
   */
  uncompress(packed: number, packedLength: number, address: number, room: number) {
    const { buffer } = memory();
    return inflate(new Uint8Array(buffer, packed >>> 0, packedLength), new Uint8Array(buffer, address >>> 0, room));
  },
});
