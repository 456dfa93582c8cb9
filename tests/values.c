/* Prints each Nth legal position, Black to move, and after a tab its value as web/exports.c tells it:
 * {"result": "draw", "plies": 0}
 * Usage: values TABLE N
 * or copies a table from the input to the output with correct checksums.
 * Usage: values --seal */

#include "common/table.h"
#include "player/describe.h"
#include "tests/seal.h"

#include <stdio.h>
#include <stdlib.h>

static int fail(const struct nk_error *error)
{
    fprintf(stderr, "values: %s\n", error->text);
    return EXIT_FAILURE;
}

static int seal_input(void)
{
    static uint8_t table[1 << 20];
    const size_t size = fread(table, 1, sizeof table, stdin);
    seal(table, size);
    return fwrite(table, 1, size, stdout) < size || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int print_values(const char *path, unsigned step)
{
    struct nk_table *table;
    struct nk_error error;
    if (nk_table_open(path, &table, &error))
        return fail(&error);
    const struct nk_rules *rules = nk_table_rules(table);
    const struct nk_index *index = nk_table_index(table);
    unsigned found = 0;
    for (uint32_t m = 0; m < index->configurations; m++)
        for (uint32_t o = 0; o < index->configurations; o++) {
            const struct nk_position position = {index->squares[m], index->squares[o]};
            struct nk_value value;
            char text[NK_POSITION_TEXT];
            if (nk_position_check(rules, position, NK_BLACK, NULL) || found++ % step)
                continue;
            if (nk_table_value(table, position, &value, &error))
                return fail(&error);
            nk_position_print(rules, position, NK_BLACK, text);
            printf("%s\t{\"result\": \"%s\", \"plies\": %d}\n", text, nk_result_name(value.result),
                   value.plies);
        }
    nk_table_close(table);
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--seal"))
        return seal_input();
    if (argc == 3 && atoi(argv[2]) > 0)
        return print_values(argv[1], (unsigned)atoi(argv[2]));
    fputs("Usage: values TABLE N | --seal\n", stderr);
    return 2;
}
