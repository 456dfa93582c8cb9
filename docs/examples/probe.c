/* Prints the value of a position and of each of its moves.
 *
 *     cc probe.c $(pkg-config --cflags --libs neutreeko) -o probe
 *     ./probe '1b1w1/2b2/5/2w2/1b1w1 b' */

#include <neutreeko.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct nk_table *table;
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_value value;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
    struct nk_error error;

    if (nk_table_solve(NULL, 0, 0, NULL, NULL, &table, &error) ||
        nk_position_parse(nk_table_rules(table), argc > 1 ? argv[1] : "1w1w1/2b2/5/2w2/1b1b1 b", &position,
                          &to_move, &error) ||
        nk_table_value(table, position, &value, &error) ||
        nk_table_moves(table, position, moves, &count, &error)) {
        fprintf(stderr, "probe: %s\n", error.text);
        return 1;
    }
    printf("%s %s\n", to_move == NK_BLACK ? "Black" : "White", nk_value_text(value).s);
    for (int m = 0; m < count; m++) {
        printf("%s %s\n", nk_move_text(nk_table_rules(table), moves[m].move).s,
               nk_value_text(moves[m].value).s);
    }
    nk_table_close(table);
}
