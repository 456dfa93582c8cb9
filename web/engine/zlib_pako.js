// zlib for browsers, whose own streams of compression are asynchronous.

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

const [LEVEL, DEFLATED, WINDOW_BITS, MEMORY_LEVEL] = [1, 8, 14, 6]; // as in common/table/codec_zlib.c
const GREATEST_WINDOW_BITS = 15; // of any stream

// They are used again, as each takes much memory.
/** @type {ZStream | undefined} */
let deflating;
/** @type {ZStream | undefined} */
let inflating;

/**
 * Has a stream go from all of the input to the output.
 * @param {ZStream} stream
 * @param {Uint8Array<ArrayBuffer>} input
 * @param {Uint8Array<ArrayBuffer>} output
 */
function begin(stream, input, output) {
  Object.assign(stream, { input, next_in: 0, avail_in: input.length, output, next_out: 0, avail_out: output.length });
}

/**
 * Compresses bytes. Returns the length of the stream in `output`, which has enough room.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {Uint8Array<ArrayBuffer>} output
 */
export function deflate(bytes, output) {
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
 * @param {Uint8Array<ArrayBuffer>} packed
 * @param {Uint8Array<ArrayBuffer>} output
 */
export function inflate(packed, output) {
  if (!inflating) {
    inflating = new ZStream();
    zlibInflateInit2(inflating, GREATEST_WINDOW_BITS);
  }
  zlibInflateReset(inflating);
  begin(inflating, packed, output);
  return zlibInflate(inflating, Z_FINISH) === Z_STREAM_END && !inflating.avail_in ? inflating.next_out : -1;
}
