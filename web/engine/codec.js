// Compression for the WebAssembly modules, which have no zlib: the functions that common/table/codec_wasm.c imports.
// package.json says which implementation of zlib '#zlib' is. The memory of a module exists only after these functions
// have been passed to it.

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
    return deflate(new Uint8Array(buffer, address, length), new Uint8Array(buffer, packed));
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
    return inflate(new Uint8Array(buffer, packed, packedLength), new Uint8Array(buffer, address, room));
  },
});
