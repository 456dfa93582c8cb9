/* Tables made on the spot, for targets that need a right one. */
#ifndef SOLVED_H
#define SOLVED_H

#include "tests/fuzz/fuzz.h"

/* The bytes of the table of a board with a line of three, with traps or without, for the caller to free. */
uint8_t *solved_bytes(int width, int height, int pieces, bool with_traps, size_t *size);

/* Writes a zlib stream that holds `length` bytes, at most 65535, as they are: quicker than a compressor would
 * begin. Returns its bytes, STORED_MORE more. */
enum { STORED_MORE = 11 };
size_t stored_stream(uint8_t *stream, const uint8_t *bytes, size_t length);

/* A directory of its own, which goes with all files in it when the program ends. In memory if possible. */
const char *own_directory(void);

#endif
