/* Reads a table from standard input and writes it with signature, version, size and all checksums set right,
 * for tests that damage something else. */

#include "tests/seal.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    enum { MOST = 1 << 20 };
    static uint8_t table[MOST];
    const size_t size = fread(table, 1, sizeof table, stdin);
    if (ferror(stdin) || size == MOST) {
        fputs("seal: cannot read the table\n", stderr);
        return EXIT_FAILURE;
    }
    seal(table, size);
    return fwrite(table, 1, size, stdout) == size && !fflush(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
