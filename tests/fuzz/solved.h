/* Tables made on the spot, for targets that need a right one. */
#ifndef SOLVED_H
#define SOLVED_H

#include "tests/fuzz/fuzz.h"

/* The bytes of the table of a board with a line of three, for the caller to free. */
uint8_t *solved_bytes(int width, int height, int pieces, size_t *size);

/* A directory of its own, which goes with all files in it when the program ends. In memory if possible. */
const char *own_directory(void);

#endif
