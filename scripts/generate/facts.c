/* Prints as one JSON object what docs/GAME.md reports on all positions of a table together, for game.py.
 * Usage: facts TABLE, or facts TABLE fair for the number of fair starts alone. */

#include "common/program/program.h"
#include "common/table/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many positions have the most of something, and the first of them in the order of the table. */
struct most {
    int value;
    uint64_t positions;
    struct nk_position first;
};

struct facts {
    uint64_t moves[NK_MAX_MOVES + 1];    /* positions by how many moves they have */
    uint64_t holding[NK_MAX_MOVES + 1];  /* drawn positions by how many moves hold the draw */
    uint64_t only_win[NK_MAX_PLIES + 1]; /* by their plies, won positions in which one move of several wins */
    uint64_t turns[3]
                  [3]; /* by the result for the mover, and for the other side were it to move; 0 is a loss */
    struct most all_win, all_lose; /* moves where every one wins, or loses */
    struct most only_win_latest;   /* plies of a win by the only move that does not lose, of several */
    struct most only_hold;         /* moves where one holds the draw and all others lose */
    struct most trap;              /* the trap value of a drawn position, in 256ths */
    struct most zugzwang; /* plies until the mover has lost, where either side loses if it is to move */
};

static void compete(struct most *most, int value, struct nk_position position, uint64_t times)
{
    if (value > most->value || !most->positions)
        *most = (struct most){value, 0, position};
    if (value == most->value)
        most->positions += times;
}

/* Takes in one entry, which stands for so many positions. */
static enum nk_status take(struct nk_table *table, struct nk_position position, uint64_t times,
                           struct facts *facts, struct nk_error *error)
{
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_move_value moves[NK_MAX_MOVES];
    const struct nk_position passed = {position.other, position.mover};
    struct nk_value value, turned;
    uint8_t trap;
    int count, won = 0, lost = 0;
    enum nk_status status = nk_table_moves(table, position, moves, &count, error);
    if (status || (status = nk_table_value(table, position, &value, error)))
        return status;
    for (int m = 0; m < count; m++) {
        won += moves[m].value.result == NK_WIN;
        lost += moves[m].value.result == NK_LOSS;
    }
    facts->moves[count] += times;
    if (won && won == count)
        compete(&facts->all_win, count, position, times);
    if (lost && lost == count)
        compete(&facts->all_lose, count, position, times);
    if (won == 1 && count > 1)
        facts->only_win[value.plies] += times;
    if (won == 1 && lost && lost == count - 1)
        compete(&facts->only_win_latest, value.plies, position, times);
    if (value.result == NK_DRAW) {
        if ((status = nk_table_trap(table, position, &trap, error)))
            return status;
        facts->holding[count - lost] += times;
        compete(&facts->trap, trap, position, times);
        if (lost && lost == count - 1)
            compete(&facts->only_hold, count, position, times);
    }
    if (nk_rules_won(rules, position.other))
        return NK_OK; /* over: nobody is to move */
    if ((status = nk_table_value(table, passed, &turned, error)))
        return status;
    facts->turns[value.result - NK_LOSS][turned.result - NK_LOSS] += times;
    if (value.result == NK_LOSS && turned.result == NK_LOSS)
        compete(&facts->zugzwang, value.plies, position, times);
    return NK_OK;
}

/* ---- positions that games from the start position can reach ---- */

/* Of the standard board, whose start position is its own mirror image: of a position and its mirror image one is looked
 * at. It is a number made of those of both configurations and of the side to move. */
enum { SQUARES = 25, CONFIGURATIONS = 2300, DEPTHS = 7 }; /* C(25, 3) */
enum { KEYS = CONFIGURATIONS * CONFIGURATIONS * 2 };

struct reach {
    uint64_t squares[CONFIGURATIONS];
    uint16_t numbers[SQUARES][SQUARES][SQUARES]; /* of a configuration, by its squares in order */
    uint16_t mirrored[CONFIGURATIONS];           /* the number of its mirror image */
    uint64_t seen[KEYS / 64 + 1];                /* a bit each: bytes would not stay in the cache */
    uint32_t waiting[KEYS];
    uint32_t found;               /* how many of `waiting` there are */
    uint32_t reached, placements; /* with the side to move, and up to an exchange of colours */
    uint64_t lines[DEPTHS];       /* of one move from the start position, of two, and so on */
};

static uint16_t *number_of(struct reach *reach, uint64_t squares)
{
    const int first = __builtin_ctzll(squares), second = __builtin_ctzll(squares & (squares - 1));
    return &reach->numbers[first][second][63 - __builtin_clzll(squares)];
}

static uint64_t mirror(uint64_t squares)
{
    uint64_t image = 0;
    for (; squares; squares &= squares - 1) {
        const int square = __builtin_ctzll(squares);
        image |= UINT64_C(1) << (square - square % 5 + 4 - square % 5);
    }
    return image;
}

static uint32_t mirror_key(const struct reach *reach, uint32_t key)
{
    const uint32_t mover = reach->mirrored[key / 2 / CONFIGURATIONS];
    return (mover * CONFIGURATIONS + reach->mirrored[key / 2 % CONFIGURATIONS]) * 2 + key % 2;
}

static bool is_seen(const struct reach *reach, uint32_t key)
{
    return reach->seen[key / 64] >> key % 64 & 1;
}

static void visit(struct reach *reach, struct nk_position position, enum nk_colour to_move)
{
    const uint32_t mover = *number_of(reach, position.mover), other = *number_of(reach, position.other);
    const uint32_t own = (mover * CONFIGURATIONS + other) * 2 + (to_move == NK_WHITE);
    const uint32_t image = mirror_key(reach, own), key = own < image ? own : image;
    if (is_seen(reach, key))
        return;
    reach->seen[key / 64] |= UINT64_C(1) << key % 64;
    reach->waiting[reach->found++] = key;
}

static void find_reachable(const struct nk_rules *rules, struct nk_position start, struct reach *reach)
{
    uint16_t number = 0;
    for (int first = 0; first < SQUARES; first++)
        for (int second = first + 1; second < SQUARES; second++)
            for (int third = second + 1; third < SQUARES; third++) {
                reach->squares[number] = UINT64_C(1) << first | UINT64_C(1) << second | UINT64_C(1) << third;
                reach->numbers[first][second][third] = number++;
            }
    for (int n = 0; n < CONFIGURATIONS; n++)
        reach->mirrored[n] = *number_of(reach, mirror(reach->squares[n]));
    visit(reach, start, NK_BLACK);
    for (uint32_t n = 0; n < reach->found; n++) {
        const uint32_t key = reach->waiting[n], images = mirror_key(reach, key) == key ? 1 : 2;
        const struct nk_position position = {reach->squares[key / 2 / CONFIGURATIONS],
                                             reach->squares[key / 2 % CONFIGURATIONS]};
        struct nk_move moves[NK_MAX_MOVES];
        const int count = nk_position_moves(rules, position, moves);
        for (int m = 0; m < count; m++)
            visit(reach, nk_position_after(position, moves[m]), key % 2 ? NK_BLACK : NK_WHITE);
        reach->reached += images;
    }
    for (uint32_t n = 0; n < reach->found; n++) {
        const uint32_t key = reach->waiting[n];
        if (key % 2 == 0 || !is_seen(reach, key - 1))
            reach->placements += mirror_key(reach, key) == key ? 1 : 2;
    }
}

/* Counts the lines of up to DEPTHS moves that go on from a position after `depth` moves. */
static void count_lines(const struct nk_rules *rules, struct nk_position position, int depth, uint64_t *lines)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(rules, position, moves);
    lines[depth] += (uint64_t)count;
    for (int m = 0; m < count && depth + 1 < DEPTHS; m++)
        count_lines(rules, nk_position_after(position, moves[m]), depth + 1, lines);
}

static void add_numbers(struct nk_json *json, const char *key, const uint64_t *values, int most)
{
    while (most && !values[most])
        most--;
    nk_json_begin(json, key, '[');
    for (int v = 0; v <= most; v++)
        nk_json_integer(json, NULL, (int64_t)values[v]);
    nk_json_end(json, ']');
}

static void add_record(struct nk_json *json, const char *key, const struct nk_rules *rules,
                       const struct most *most)
{
    if (!most->positions) {
        nk_json_null(json, key);
        return;
    }
    nk_json_begin(json, key, '{');
    nk_json_integer(json, "value", most->value);
    nk_json_integer(json, "positions", (int64_t)most->positions);
    nk_json_string(json, "first", nk_position_text(rules, most->first, NK_BLACK).s);
    nk_json_end(json, '}');
}

static void print(const struct facts *facts, const struct reach *reach, const struct nk_rules *rules)
{
    struct nk_json *json = nk_json_begin_line();
    nk_json_integer(json, "reached", reach->reached);
    nk_json_integer(json, "placements", reach->placements);
    add_numbers(json, "lines", reach->lines, DEPTHS - 1);
    add_numbers(json, "moves", facts->moves, NK_MAX_MOVES);
    add_numbers(json, "holding", facts->holding, NK_MAX_MOVES);
    add_numbers(json, "only_win", facts->only_win, NK_MAX_PLIES);
    nk_json_begin(json, "turns", '[');
    for (int mover = 0; mover < 3; mover++)
        add_numbers(json, NULL, facts->turns[mover], 2);
    nk_json_end(json, ']');
    add_record(json, "all_win", rules, &facts->all_win);
    add_record(json, "all_lose", rules, &facts->all_lose);
    add_record(json, "only_win_latest", rules, &facts->only_win_latest);
    add_record(json, "only_hold", rules, &facts->only_hold);
    add_record(json, "trap", rules, &facts->trap);
    add_record(json, "zugzwang", rules, &facts->zugzwang);
    nk_json_end_line(json);
}

static enum nk_status print_fair_starts(struct nk_table *table, struct nk_error *error)
{
    struct nk_position *starts;
    uint64_t count;
    const enum nk_status status = nk_fair_starts(table, &starts, &count, error);
    if (status)
        return status;
    printf("%" PRIu64 "\n", count);
    free(starts);
    return NK_OK;
}

static enum nk_status print_facts(struct nk_table *table, struct nk_error *error)
{
    static struct facts facts;
    static struct reach reach;
    struct nk_position start;
    const struct nk_rules *rules = nk_table_rules(table);
    const struct nk_index *index = table->index;
    enum nk_status status = nk_table_load(table, error);
    for (uint64_t entry = 0; entry < index->entries && !status; entry++) {
        const struct nk_position position = nk_index_position(index, entry);
        if (!nk_rules_won(rules, position.mover))
            status = take(table, position, index->orbits[entry / index->per_orbit].size, &facts, error);
    }
    if (status)
        return status;
    nk_rules_start(rules, &start);
    find_reachable(rules, start, &reach);
    count_lines(rules, start, 0, reach.lines);
    print(&facts, &reach, rules);
    return NK_OK;
}

int main(int argc, char **argv)
{
    struct nk_table *table;
    struct nk_error error;
    if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "fair") != 0)) {
        fputs("Usage: facts TABLE [fair]\n", stderr);
        return 2;
    }
    enum nk_status status = nk_table_open(argv[1], &table, &error);
    if (status) {
        fprintf(stderr, "facts: %s\n", error.text);
        return EXIT_FAILURE;
    }
    status = (argc == 3 ? print_fair_starts : print_facts)(table, &error);
    if (status) {
        fprintf(stderr, "facts: %s\n", error.text);
        return EXIT_FAILURE;
    }
    nk_table_close(table);
    return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
