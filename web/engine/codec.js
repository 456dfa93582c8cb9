// Compression for the WebAssembly modules, which have no zlib: the functions that common/table/codec_wasm.c imports.
// package.json says which implementation of zlib '#zlib' is. The memory of a module exists only after these functions
// have been passed to it. Modules pass addresses from 2 GiB on as negative numbers.

import { deflate, inflate } from '#zlib';

/** @param {() => WebAssembly.Memory} memory */
export const compressor = (memory) => ({
  /**
   * Compresses bytes to a stream at the address `packed`. Returns its length.
   * @param {number} address
   * @param {number} length
   * @param {number} packed
   */
  compress(address, length, packed) {
    const { buffer } = memory();
    return deflate(new Uint8Array(buffer, address >>> 0, length), new Uint8Array(buffer, packed >>> 0));
  },
});

/** @param {() => WebAssembly.Memory} memory */
export const uncompressor = (memory) => ({
  /**
   * Uncompresses the stream at the address `packed`. Returns how many bytes there are, or -1 if it is not one stream or
   * has more than `room` bytes.
   * @param {number} packed
   * @param {number} packedLength
   * @param {number} address
   * @param {number} room
   */
  uncompress(packed, packedLength, address, room) {
    const { buffer } = memory();
    return inflate(new Uint8Array(buffer, packed >>> 0, packedLength), new Uint8Array(buffer, address >>> 0, room));
  },
});
