/* Prints every legal position, Black to move, and after a tab its value as web/exports.c tells it:
 * {"result": "draw", "plies": 0}
 * Usage: values TABLE */

#include "common/table.h"
#include "player/describe.h"

#include <stdio.h>
#include <stdlib.h>

static int fail(const struct nk_error *error)
{
    fprintf(stderr, "values: %s\n", error->text);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct nk_table *table;
    struct nk_error error;
    if (argc != 2) {
        fputs("Usage: values TABLE\n", stderr);
        return 2;
    }
    if (nk_table_open(argv[1], &table, &error))
        return fail(&error);
    const struct nk_rules *rules = nk_table_rules(table);
    const struct nk_index *index = nk_table_index(table);
    for (uint32_t m = 0; m < index->configurations; m++)
        for (uint32_t o = 0; o < index->configurations; o++) {
            const struct nk_position position = {nk_index_unrank(index, m), nk_index_unrank(index, o)};
            struct nk_value value;
            char text[NK_POSITION_TEXT];
            if (nk_position_check(rules, position, NK_BLACK, NULL))
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
