/* libneutreeko as a program outside sees it: the shared library, and no header but its own. */

#include "include/neutreeko.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct nk_table *table;

static void open_table(void)
{
    struct nk_error error;
    cr_assert_eq(nk_table_open(getenv("TABLE"), &table, &error), NK_OK, "%s", error.text);
}

static void close_table(void)
{
    nk_table_close(table);
}

/* Where the number of positions does not matter: 4x4, in place of the table that is open. */
static void solve_small(void)
{
    static const struct nk_board board = {4, 4, 3, 3, NK_WIN_LINE};
    cr_assert(!nk_table_solve(&board, 1, 0, NULL, NULL, &table, NULL));
}

TestSuite(library, .init = open_table, .fini = close_table);
TestSuite(small_board, .init = solve_small, .fini = close_table);

Test(library, names_are_one_object)
{
    static const char begin[] = "{\"engine\": \"" NK_VERSION "\",";
    char *names = nk_names();
    cr_assert_eq(strncmp(names, begin, strlen(begin)), 0, "%s", names);
    cr_assert_str_eq(names + strlen(names) - 2, "]}");
    free(names);
}

Test(library, version_is_that_of_the_header)
{
    cr_assert_str_eq(nk_version(), NK_VERSION);
}

Test(library, rules_are_of_a_board_or_by_default_the_standard_one)
{
    const struct nk_board board = {7, 7, 3, 3, NK_WIN_LINE}, nine = {9, 9, 3, 3, NK_WIN_LINE};
    struct nk_rules *seven, *standard, *none = NULL;
    struct nk_error error;
    cr_assert(!nk_rules_new(&board, &seven, &error));
    cr_assert_eq(nk_rules_board(seven).width, 7);
    cr_assert(!nk_rules_new(NULL, &standard, NULL));
    cr_assert_eq(nk_rules_board(standard).width, 5);
    cr_assert_eq(nk_rules_new(&nine, &none, &error), NK_E_RULES);
    cr_assert_null(none);
    nk_rules_free(standard);
    nk_rules_free(seven);
}

enum { TEXTS = 3, TEXT = 32 };

Test(library, many_positions_are_read_and_written)
{
    static const char texts[TEXTS][TEXT] = {"1w1w1/2b2/5/2w2/1b1b1 b", "1w1w1/2b2/5/2w2/1b1b1 w", "nonsense"};
    struct nk_position positions[TEXTS];
    struct nk_text written[TEXTS];
    uint8_t to_move[TEXTS];
    size_t done;
    const struct nk_rules *rules = nk_table_rules(table);
    cr_assert_eq(nk_positions_parse(rules, texts[0], TEXT, TEXTS, positions, to_move, &done, NULL),
                 NK_E_SYNTAX);
    cr_assert_eq(done, 2);
    cr_assert(!nk_positions_parse(rules, texts[0], TEXT, 2, positions, to_move, &done, NULL));
    cr_assert_eq(done, 2);
    cr_assert(!nk_positions_text(rules, positions, to_move, 2, written, &done, NULL));
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(to_move[i], i);
        cr_assert_str_eq(written[i].s, texts[i]);
    }
    positions[1].mover = positions[1].other;
    cr_assert_eq(nk_positions_text(rules, positions, to_move, 2, written, &done, NULL), NK_E_POSITION);
    cr_assert_eq(done, 1);
}

Test(library, of_a_configuration_that_does_not_exist_there_are_no_positions)
{
    struct nk_listed_position listed[1];
    uint32_t count = 1;
    cr_assert(!nk_table_positions(table, UINT32_MAX, NK_LIST_BEST, listed, &count, NULL));
    cr_assert_eq(count, 0);
    count = 1;
    cr_assert(!nk_table_positions(table, nk_table_configurations(table), NK_LIST_BEST, listed, &count, NULL));
    cr_assert_eq(count, 0);
}

/* The positions with some results are listed as among all, and in their order. */
Test(small_board, positions_are_listed_by_their_results)
{
    enum { MOST = 1000, LOSSES = 1, DRAWS = 2, WINS = 4 };
    static const struct {
        unsigned results, flags;
    } cases[] = {
        {LOSSES, NK_LIST_LOSSES}, {DRAWS, NK_LIST_DRAWS}, {LOSSES | WINS, NK_LIST_LOSSES | NK_LIST_WINS}};
    static struct nk_listed_position all[MOST], some[MOST];
    cr_assert(!nk_table_load(table, NULL));
    for (uint32_t c = 0, count; c < nk_table_configurations(table); c++) {
        cr_assert(!nk_table_positions(table, c, NK_LIST_BEST, all, &count, NULL));
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            uint32_t listed, at = 0;
            cr_assert(!nk_table_positions(table, c, NK_LIST_BEST | cases[i].flags, some, &listed, NULL));
            for (uint32_t n = 0; n < count; n++)
                if (cases[i].results >> (all[n].result + 1) & 1)
                    cr_assert(memcmp(&all[n], &some[at++], sizeof *all) == 0);
            cr_assert_eq(at, listed);
        }
    }
}

Test(small_board, puzzles_are_won_in_the_plies)
{
    enum { ROOM = 5, PLIES = 7 };
    struct nk_puzzle puzzles[ROOM];
    uint64_t random = 1;
    size_t count;
    cr_assert(!nk_puzzles(table, PLIES, &random, puzzles, ROOM, &count, NULL));
    cr_assert_eq(count, ROOM);
    for (size_t i = 0; i < count; i++) {
        struct nk_value value;
        cr_assert(!nk_table_value(table, puzzles[i].position, &value, NULL));
        cr_assert_eq(value.result, NK_WIN);
        cr_assert_eq(value.plies, PLIES);
    }
}

Test(library, every_opponent_makes_the_same_legal_move_again)
{
    struct nk_game *game;
    struct nk_position start;
    struct nk_text name, about;
    struct nk_move move, again;
    cr_assert(nk_rules_start(nk_table_rules(table), &start));
    cr_assert(!nk_game_new(nk_table_rules(table), start, NK_BLACK, &game, NULL));
    for (int n = 0; nk_opponent_ranked(n, &name, &about); n++) {
        uint64_t random = 7, same = 7;
        cr_assert(!nk_opponent_move(table, game, name.s, &random, &move, NULL));
        cr_assert(!nk_opponent_move(table, game, name.s, &same, &again, NULL));
        cr_assert_eq(move.from, again.from);
        cr_assert_eq(move.to, again.to);
        cr_assert(!nk_move_check(nk_table_rules(table), nk_game_position(game), NK_BLACK, move, NULL));
    }
    nk_game_free(game);
}

Test(library, a_record_keeps_its_headers)
{
    static const char text[] = "[White \"Ada\"]\n[Date \"2026.11.27\"]\n1. b1-c1 (1. b1-b4) 1/2-1/2";
    struct nk_headers read = {.outcome = NK_OUTCOME_OPEN};
    struct nk_game *game;
    struct nk_tree *tree;
    cr_assert(!nk_record_read(text, strlen(text), nk_table_rules(table), &read, &game, NULL));
    cr_assert_str_eq(read.players[NK_WHITE], "Ada");
    cr_assert_str_eq(read.players[NK_BLACK], "");
    cr_assert_str_eq(nk_outcome_text(read.outcome), "1/2-1/2");
    nk_header_set(read.players[NK_BLACK], "\"B\"\n");
    char *record = nk_record_text(game, &read);
    cr_assert(strstr(
        record,
        "[Date \"2026.11.27\"]\n[White \"Ada\"]\n[Black \"\\\"B\\\"\ufffd\"]\n[Result \"1/2-1/2\"]\n"));
    free(record);
    nk_game_free(game);
    cr_assert(!nk_record_read_tree(text, strlen(text), nk_table_rules(table), &read, &tree, NULL));
    record = nk_record_tree_text(tree, &read);
    cr_assert(strstr(record, "[White \"Ada\"]\n[Result \"1/2-1/2\"]"));
    cr_assert(strstr(record, "(1. b1-b4)"));
    free(record);
    nk_tree_free(tree);
}

/* ---- illegal positions ---- */

/* The two sides of the start position. */
enum { BLACK = 0x2000a, WHITE = 0xa00080 };

/* Every kind of illegal position. */
static const struct {
    const char *what;
    struct nk_position position;
    int moves; /* that nk_position_moves lists */
} illegal[] = {
    {"two pieces on one square", {BLACK, 0xa00008}, 0},
    {"both sides on the same squares", {BLACK, BLACK}, 0},
    {"a side to move without pieces", {0, WHITE}, 0},
    {"a side to move with two pieces", {0xa, WHITE}, 0},
    {"a side to move with four pieces", {0x2000b, WHITE}, 0},
    {"a side to move on every square", {0x1ffffff, 0}, 0},
    {"a side to move on every bit", {UINT64_MAX, 0}, 0},
    {"an opponent without pieces", {BLACK, 0}, 0},
    {"an opponent with two pieces", {BLACK, 0xa00000}, 0},
    {"an opponent with four pieces", {BLACK, 0xa00081}, 0},
    {"an opponent on every bit", {0, UINT64_MAX}, 0},
    {"a piece of the side to move beyond the board", {0xa | UINT64_C(1) << 25, WHITE}, 0},
    {"a piece of the side to move on the last bit", {0xa | UINT64_C(1) << 63, WHITE}, 0},
    {"a piece of the opponent beyond the board", {BLACK, 0x80 | UINT64_C(3) << 25}, 0},
    {"a piece of the opponent on the last bit", {BLACK, 0xa00000 | UINT64_C(1) << 63}, 0},
    {"a side to move that has won", {0x7, WHITE}, 7},
    {"two sides that have won", {0x7, 0x7 << 20}, 0},
};
enum { ILLEGAL = sizeof illegal / sizeof illegal[0] };

/* Checks what a function returned for an illegal position. */
static void check_rejected(int i, enum nk_status status, const struct nk_error *error)
{
    cr_expect_eq(status, NK_E_POSITION, "%s: status %d", illegal[i].what, (int)status);
    cr_expect_eq(error->status, NK_E_POSITION, "%s", illegal[i].what);
    cr_expect(*error->text, "%s: no text", illegal[i].what);
}

/* The next greater mask with as many squares. */
static uint64_t next_configuration(uint64_t mask)
{
    const uint64_t lowest = mask & -mask, carried = mask + lowest;
    return carried | ((mask ^ carried) / lowest >> 2);
}

static void look_up_illegal_positions(struct nk_table *asked)
{
    for (int i = 0; i < ILLEGAL; i++) {
        const struct nk_position position = illegal[i].position;
        struct nk_move_value moves[NK_MAX_MOVES];
        struct nk_value value = {NK_DRAW, 77};
        struct nk_error error;
        uint8_t trap = 77;
        int count = 77;
        check_rejected(i, nk_table_value(asked, position, &value, &error), &error);
        cr_expect_eq(value.plies, 77, "%s", illegal[i].what);
        check_rejected(i, nk_table_moves(asked, position, moves, &count, &error), &error);
        cr_expect_eq(count, 77, "%s", illegal[i].what);
        check_rejected(i, nk_table_trap(asked, position, &trap, &error), &error);
        cr_expect_eq(trap, 77, "%s", illegal[i].what);
    }
}

Test(library, lookups_reject_illegal_positions)
{
    look_up_illegal_positions(table);
}

Test(library, lookups_in_a_loaded_table_reject_illegal_positions)
{
    cr_assert(!nk_table_load(table, NULL));
    cr_assert(!nk_table_load(table, NULL)); /* stays as it is */
    look_up_illegal_positions(table);
}

/* Of all placements with an entry, exactly the illegal ones are rejected; `asked` may be loaded or not. */
static void look_up_winning_configurations(struct nk_table *asked)
{
    const struct nk_rules *rules = nk_table_rules(asked);
    uint64_t rejected = 0, won = 0;
    for (uint64_t mover = 7; mover < UINT64_C(1) << 25; mover = next_configuration(mover)) {
        struct nk_value value;
        const uint64_t other = mover & WHITE ? BLACK : WHITE;
        if (mover & other)
            continue;
        won += nk_rules_won(rules, mover);
        rejected += nk_table_value(asked, (struct nk_position){mover, other}, &value, NULL) == NK_E_POSITION;
    }
    cr_assert_gt(won, 0);
    cr_assert_eq(rejected, won);
}

Test(library, lookups_reject_exactly_the_sides_that_have_won)
{
    look_up_winning_configurations(table);
    cr_assert(!nk_table_load(table, NULL));
    look_up_winning_configurations(table);
}

Test(library, games_reject_illegal_positions)
{
    for (int i = 0; i < ILLEGAL; i++) {
        struct nk_game *game = NULL;
        struct nk_error error;
        const enum nk_status status =
            nk_game_new(nk_table_rules(table), illegal[i].position, NK_BLACK, &game, &error);
        check_rejected(i, status, &error);
        cr_expect(!game, "%s", illegal[i].what);
    }
}

Test(library, checks_reject_illegal_positions)
{
    const struct nk_rules *rules = nk_table_rules(table);
    for (int i = 0; i < ILLEGAL; i++) {
        const struct nk_position position = illegal[i].position;
        struct nk_error error;
        check_rejected(i, nk_position_check(rules, position, NK_BLACK, &error), &error);
        check_rejected(i, nk_move_check(rules, position, NK_WHITE, (struct nk_move){1, 0}, &error), &error);
    }
}

/* Functions without a status: within the buffers, which the sanitizers watch. */
Test(library, illegal_positions_have_no_moves_but_for_a_winner_and_can_be_printed)
{
    const struct nk_rules *rules = nk_table_rules(table);
    for (int i = 0; i < ILLEGAL; i++) {
        struct nk_move moves[NK_MAX_MOVES];
        cr_expect_eq(nk_position_moves(rules, illegal[i].position, moves), illegal[i].moves, "%s",
                     illegal[i].what);
        const struct nk_text text = nk_position_text(rules, illegal[i].position, NK_BLACK);
        cr_expect_lt(strlen(text.s), sizeof text.s, "%s", illegal[i].what);
    }
}

Test(library, an_impossible_move_leads_to_an_illegal_position)
{
    const struct nk_position position = {BLACK, WHITE};
    const struct nk_position after = nk_position_after(position, (struct nk_move){255, 64});
    cr_assert_eq(after.mover, position.other);
    cr_assert_eq(nk_position_check(nk_table_rules(table), after, NK_BLACK, NULL), NK_E_POSITION);
}

/* ---- what else the contracts say of what does not exist ---- */

/* Checks that nothing can be chosen in a game that is over, in which `moves` moves would be legal, and frees it. */
static void nothing_to_choose(struct nk_game *game, int moves)
{
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_move move = {77, 78}, legal[NK_MAX_MOVES];
    struct nk_error error = {.text = ""};
    uint64_t random = 1;
    int count = 77;
    cr_expect_eq(nk_position_moves(nk_table_rules(table), nk_game_position(game), legal), moves);
    cr_expect_eq(nk_choices(table, game, choices, &count, NULL), NK_OK);
    cr_expect_eq(count, 0);
    cr_expect_eq(nk_choose(table, game, &random, &move, &error), NK_E_MOVE);
    cr_expect_eq(move.from, 77);
    cr_expect(strstr(error.text, "the game is over. "), "%s", error.text);
    nk_game_free(game);
}

static struct nk_game *read_game(const char *record)
{
    struct nk_game *game = NULL;
    struct nk_error error;
    cr_assert(!nk_record_read(record, strlen(record), nk_table_rules(table), NULL, &game, &error), "%s",
              error.text);
    return game;
}

Test(library, no_move_is_chosen_in_a_game_that_is_over)
{
    nothing_to_choose(read_game("start b1b1b/5/5/1www1/5 b"), 0);
    nothing_to_choose(read_game("b1-b4 d5-d2 b4-b1 d2-d5 b1-b4 d5-d2 b4-b1 d2-d5"), 14);
    nothing_to_choose(read_game("1. b1-c1 resign"), 14);
}

Test(small_board, an_even_or_negative_number_of_plies_has_no_puzzles)
{
    for (int plies = -3; plies < 1; plies++) {
        struct nk_puzzle puzzles[2];
        uint64_t random = 1;
        size_t count = 77;
        cr_expect(!nk_puzzles(table, plies, &random, puzzles, 2, &count, NULL));
        cr_expect_eq(count, plies == NK_PUZZLE_DRAW ? 2 : 0, "%d plies: %zu", plies, count);
    }
}

Test(library, the_colour_is_used_only_in_the_text)
{
    const struct nk_position right = {BLACK, WHITE}, won = {0x7, WHITE};
    const struct nk_move off_the_board = {1, 30};
    const struct nk_rules *rules = nk_table_rules(table);
    for (int colour = -1; colour < 4; colour++) {
        struct nk_error error;
        cr_expect_eq(nk_position_check(rules, right, (enum nk_colour)colour, NULL), NK_OK, "%d", colour);
        cr_expect_eq(nk_position_check(rules, won, (enum nk_colour)colour, &error), NK_E_POSITION, "%d",
                     colour);
        cr_expect(strstr(error.text, "already won"), "%d: %s", colour, error.text);
        cr_expect_eq(nk_move_check(rules, right, (enum nk_colour)colour, off_the_board, NULL), NK_E_MOVE);
    }
}

/* Of a node that a tree does not have, in a tree with one move. */
Test(library, a_node_that_does_not_exist_is_an_error)
{
    struct nk_tree *tree;
    const struct nk_rules *rules = nk_table_rules(table);
    const struct nk_position start = {BLACK, WHITE};
    const struct nk_move move = {1, 2};
    int node = 77;
    cr_assert(!nk_tree_new(rules, start, NK_BLACK, &tree, NULL));
    cr_assert(!nk_tree_add(tree, 0, move, &node, NULL));
    cr_assert_eq(node, 1);
    for (int number = -1; number <= 2; number += 3) {
        struct nk_error error;
        struct nk_game *game = NULL;
        cr_expect_eq(nk_tree_add(tree, number, move, &node, &error), NK_E_MOVE);
        cr_expect_eq(node, 1);
        cr_expect(strstr(error.text, number < 0 ? "no node -1" : "no node 2"), "%s", error.text);
        cr_expect_eq(nk_tree_resign(tree, number, NULL), NK_E_MOVE);
        cr_expect_eq(nk_tree_mark(tree, number, "?", NULL), NK_E_MOVE);
        cr_expect_eq(nk_tree_comment(tree, number, "good", NULL), NK_E_MOVE);
        cr_expect_eq(nk_tree_game(tree, number, &game, NULL), NK_E_MOVE);
        cr_expect(!game);
        const struct nk_node nothing = nk_tree_node(tree, number);
        cr_expect_eq(nothing.parent, -1);
        cr_expect_eq(nothing.child, -1);
        cr_expect_eq(nothing.sibling, -1);
        cr_expect_str_eq(nothing.comment, "");
    }
    cr_expect_eq(nk_tree_count(tree), 2);
    cr_expect_eq(nk_tree_node(tree, 1).parent, 0);
    nk_tree_free(tree);
}

/* ---- what every function promises ---- */

Test(library, what_frees_takes_null)
{
    nk_rules_free(NULL);
    nk_table_close(NULL);
    nk_game_free(NULL);
    nk_tree_free(NULL);
}

Test(library, an_array_of_no_elements_may_be_null)
{
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_game *game = read_game("*"), *none = NULL;
    struct nk_table *other = NULL;
    uint64_t random = 1;
    size_t read = 77, written = 77, count = 77;
    cr_expect(!nk_positions_parse(rules, NULL, 0, 0, NULL, NULL, &read, NULL));
    cr_expect_eq(read, 0);
    cr_expect(!nk_positions_text(rules, NULL, NULL, 0, NULL, &written, NULL));
    cr_expect_eq(written, 0);
    cr_expect(!nk_puzzles(table, 7, &random, NULL, 0, &count, NULL));
    cr_expect_eq(count, 0);
    cr_expect(!nk_review(table, game, NULL, NULL));
    cr_expect_eq(nk_record_read(NULL, 0, rules, NULL, &none, NULL), NK_E_SYNTAX);
    cr_expect_eq(nk_table_open_bytes(NULL, 0, &other, NULL), NK_E_NOT_TABLE);
    nk_game_free(game);
}

/* After an error, no result is set, and the error has its status and a text. */
static void expect_failure(enum nk_status status, enum nk_status expected, const struct nk_error *error)
{
    cr_expect_eq(status, expected, "%d, expected %d: %s", (int)status, (int)expected, error->text);
    cr_expect_eq(error->status, expected, "%s", error->text);
    cr_expect(*error->text);
}

Test(library, failures_to_read_leave_the_results)
{
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_position position = {77, 78};
    struct nk_headers headers = {.event = "before", .outcome = NK_OUTCOME_DRAW};
    struct nk_move move = {77, 78};
    struct nk_game *game = NULL;
    struct nk_tree *tree = NULL;
    struct nk_error error = {.text = ""};
    enum nk_colour to_move = NK_WHITE;
    static const char record[] = "[Event \"after\"]\n1. b1-c1 b5-b6";
    expect_failure(nk_move_parse(rules, "b1-c9", &move, &error), NK_E_SYNTAX, &error);
    cr_expect_eq(error.at, 5);
    cr_expect_eq(move.from, 77);
    expect_failure(nk_position_parse(rules, "5/5/5/5/5 b", &position, &to_move, &error), NK_E_POSITION,
                   &error);
    expect_failure(nk_position_parse(rules, "fair:181", &position, &to_move, &error), NK_E_POSITION, &error);
    cr_expect_eq(position.mover, 77);
    cr_expect_eq(to_move, NK_WHITE);
    expect_failure(nk_record_read(record, strlen(record), rules, &headers, &game, &error), NK_E_SYNTAX,
                   &error);
    cr_expect_eq(error.at, 30);
    cr_expect(!game);
    expect_failure(nk_record_read_tree(record, strlen(record), rules, &headers, &tree, &error), NK_E_SYNTAX,
                   &error);
    cr_expect(!tree);
    cr_expect_str_eq(headers.event, "before");
    cr_expect_eq(headers.outcome, NK_OUTCOME_DRAW);
}

Test(library, failures_to_open_and_solve_leave_the_results)
{
    static const struct nk_board full = {3, 3, 5, 3, NK_WIN_LINE};
    struct nk_table *other = NULL;
    struct nk_position position = {77, 78};
    struct nk_error error = {.text = ""};
    uint64_t bytes = 77;
    expect_failure(nk_table_open("no such file", &other, &error), NK_E_READ, &error);
    expect_failure(nk_table_open("/proc/self/exe", &other, &error), NK_E_NOT_TABLE, &error);
    expect_failure(nk_table_open_bytes("text", 4, &other, &error), NK_E_NOT_TABLE, &error);
    expect_failure(nk_table_solve(&full, 1, 0, NULL, NULL, &other, &error), NK_E_RULES, &error);
    expect_failure(nk_table_solve(NULL, 1, 1000, NULL, NULL, &other, &error), NK_E_MEMORY, &error);
    cr_expect(!other);
    expect_failure(nk_solve_memory(&full, 1, &bytes, &error), NK_E_RULES, &error);
    cr_expect_eq(bytes, 77);
    expect_failure(nk_fair_start(table, 181, &position, &error), NK_E_POSITION, &error);
    cr_expect_eq(position.mover, 77);
}

/* In a game that is over; the random state is a result, too. */
Test(library, failures_to_choose_leave_the_results)
{
    struct nk_game *game = read_game("1. b1-c1 resign");
    const struct nk_move first = nk_game_move_at(game, 0);
    struct nk_move move = {77, 78};
    struct nk_error error = {.text = ""};
    struct nk_explanation why = {.threat = 77};
    uint64_t random = 5;
    expect_failure(nk_choose(table, game, &random, &move, &error), NK_E_MOVE, &error);
    expect_failure(nk_opponent_move(table, game, "random", &random, &move, &error), NK_E_MOVE, &error);
    expect_failure(nk_opponent_move(table, game, "nobody", &random, &move, &error), NK_E_SYNTAX, &error);
    expect_failure(nk_opponent_move(table, game, "human", &random, &move, &error), NK_E_SYNTAX, &error);
    cr_expect_eq(move.from, 77);
    cr_expect_eq(random, 5);
    expect_failure(nk_explain(table, game, 0, move, &why, &error), NK_E_MOVE, &error);
    expect_failure(nk_explain(table, game, -1, first, &why, &error), NK_E_MOVE, &error);
    expect_failure(nk_explain(table, game, 2, first, &why, &error), NK_E_MOVE, &error);
    cr_expect_eq(why.threat, 77);
    nk_game_free(game);
}

/* A program in another language may pass any number for one. */
Test(library, numbers_that_are_in_no_enumeration_are_refused)
{
    const struct nk_board board = {5, 5, 3, 3, (enum nk_win)99};
    struct nk_game *game = read_game("1. b1-c1");
    struct nk_headers headers = {.outcome = (enum nk_outcome)99};
    struct nk_rules *rules = NULL;
    struct nk_error error = {.text = ""};
    expect_failure(nk_rules_new(&board, &rules, &error), NK_E_RULES, &error);
    cr_expect(!rules);
    for (int number = -1; number < 100; number += 100) {
        const enum nk_outcome outcome = (enum nk_outcome)number;
        cr_expect_str_eq(nk_outcome_text(outcome), "*");
        headers.outcome = outcome;
        char *record = nk_record_text(game, &headers);
        cr_expect(strstr(record, "[Result \"*\"]"), "%s", record);
        free(record);
        expect_failure(nk_game_finish(game, (enum nk_end)number, NK_OUTCOME_BLACK, &error), NK_E_MOVE,
                       &error);
        expect_failure(nk_game_finish(game, NK_END_STATED, outcome, &error), NK_E_MOVE, &error);
    }
    nk_game_free(game);
}

/* ---- rules, positions, texts ---- */

/* By the square of the piece, then clockwise from north. */
Test(library, moves_are_in_their_order)
{
    static const char *const expected[] = {"b1-b4", "b1-c1", "b1-a1", "b1-a2", "d1-d4", "d1-e2", "d1-e1",
                                           "d1-c1", "c4-c5", "c4-e4", "c4-e2", "c4-c3", "c4-a2", "c4-a4"};
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(rules, (struct nk_position){BLACK, WHITE}, moves);
    cr_assert_eq(count, sizeof expected / sizeof expected[0]);
    for (int m = 0; m < count; m++)
        cr_expect_str_eq(nk_move_text(rules, moves[m]).s, expected[m]);
}

/* Where two pieces are on a square, it has Black's. */
Test(library, an_illegal_position_is_written_with_the_squares_of_the_board)
{
    const struct nk_rules *rules = nk_table_rules(table);
    const struct nk_position both = {0x3, 0x6}, beyond = {UINT64_C(1) << 63 | 1, UINT64_C(1) << 25 | 2};
    cr_expect_str_eq(nk_position_text(rules, both, NK_BLACK).s, "5/5/5/5/bbw2 b");
    cr_expect_str_eq(nk_position_text(rules, both, NK_WHITE).s, "5/5/5/5/wbb2 w");
    cr_expect_str_eq(nk_position_text(rules, beyond, NK_BLACK).s, "5/5/5/5/bw3 b");
}

Test(library, values_are_written_in_moves)
{
    cr_expect_str_eq(nk_value_text((struct nk_value){NK_WIN, 13}).s, "wins in 7 moves");
    cr_expect_str_eq(nk_value_text((struct nk_value){NK_DRAW, 0}).s, "draws");
    cr_expect_str_eq(nk_value_text((struct nk_value){NK_LOSS, 2}).s, "loses in 1 move");
}

/* From the best value to the worst. */
Test(library, values_have_an_order)
{
    static const struct nk_value values[] = {
        {NK_WIN, 1}, {NK_WIN, 3}, {NK_DRAW, 0}, {NK_LOSS, 4}, {NK_LOSS, 2}};
    enum { VALUES = sizeof values / sizeof values[0] };
    for (int a = 0; a < VALUES; a++)
        for (int b = 0; b < VALUES; b++)
            cr_expect_eq(nk_value_better(values[a], values[b]), a < b, "%d, %d", a, b);
}

Test(library, a_header_is_cut_at_a_whole_character)
{
    char text[NK_HEADER_TEXT];
    char value[NK_HEADER_TEXT + 1]; /* with a last character of two bytes */
    memset(value, 'x', NK_HEADER_TEXT - 2);
    strcpy(value + NK_HEADER_TEXT - 2, "\u00eb");
    nk_header_set(text, value);
    cr_expect_eq(strlen(text), NK_HEADER_TEXT - 2, "%s", text);
    nk_header_set(text, value + 1);
    cr_expect_str_eq(text, value + 1);
}

/* ---- the ends of games ---- */

/* Games with how they end, the winner if there is one, and the value of the current position. */
static const struct {
    const char *record, *sentence;
    enum nk_end end;
    int winner; /* -1: none */
    struct nk_value value;
} ends[] = {
    {"*", "The game is not over: Black is to move.", NK_END_NONE, -1, {NK_DRAW, 0}},
    {"1. b1-c1 c2-c3 2. c1-a1 *", "The game is not over: White is to move.", NK_END_NONE, -1, {NK_WIN, 7}},
    {"start 5/5/b1w2/b3w/3bw b\nd1-a1", "Black wins.", NK_END_WON, NK_BLACK, {NK_LOSS, 0}},
    {"b1-c1 c2-c3 c1-a1 resign", "White resigns: Black wins.", NK_END_RESIGNED, NK_BLACK, {NK_WIN, 7}},
    {"1. b1-c1 {Black resigns} 1-0", "Black resigns: White wins.", NK_END_RESIGNED, NK_WHITE, {NK_DRAW, 0}},
    {"1. b1-c1 {Black wins on time} 0-1", "Black wins on time.", NK_END_TIME, NK_BLACK, {NK_DRAW, 0}},
    {"1. b1-c1 0-1", "Black wins, as the result says.", NK_END_STATED, NK_BLACK, {NK_DRAW, 0}},
    {"b1-b4 d5-d2 b4-b1 d2-d5 b1-b4 d5-d2 b4-b1 d2-d5",
     "Draw by threefold repetition.",
     NK_END_REPETITION,
     -1,
     {NK_DRAW, 0}},
    {"start b1b1b/5/5/1www1/5 b", "White wins.", NK_END_WON, NK_WHITE, {NK_LOSS, 0}},
    {"1. b1-c1 {draw agreed} 1/2-1/2", "Draw by agreement.", NK_END_AGREED, -1, {NK_DRAW, 0}},
    {"1. b1-c1 1/2-1/2", "Draw, as the result says.", NK_END_STATED, -1, {NK_DRAW, 0}},
};
enum { ENDS = sizeof ends / sizeof ends[0] };

Test(library, how_a_game_has_ended)
{
    for (int i = 0; i < ENDS; i++) {
        struct nk_game *game = read_game(ends[i].record);
        enum nk_colour winner = (enum nk_colour)77;
        struct nk_value value = {NK_WIN, 77};
        cr_expect_eq(nk_game_end(game, &winner), ends[i].end, "%s", ends[i].record);
        cr_expect_eq((int)winner, ends[i].winner < 0 ? 77 : ends[i].winner, "%s", ends[i].record);
        cr_expect_str_eq(nk_end_text(game).s, ends[i].sentence);
        cr_expect(!nk_game_value(table, game, &value, NULL));
        cr_expect_eq(value.result, ends[i].value.result, "%s", ends[i].record);
        cr_expect_eq(value.plies, ends[i].value.plies, "%s", ends[i].record);
        nk_game_free(game);
    }
}

/* Neither a move nor what ends a game has an effect on one that is over. */
Test(library, a_game_that_is_over_stays_as_it_is)
{
    for (int i = 0; i < ENDS; i++) {
        struct nk_game *game = read_game(ends[i].record);
        struct nk_move moves[NK_MAX_MOVES];
        const int plies = nk_game_plies(game);
        if (ends[i].end != NK_END_NONE) {
            nk_game_resign(game);
            cr_expect_eq(nk_game_finish(game, NK_END_TIME, NK_OUTCOME_WHITE, NULL), NK_E_MOVE);
            cr_expect_str_eq(nk_end_text(game).s, ends[i].sentence);
            if (nk_position_moves(nk_table_rules(table), nk_game_position(game), moves))
                cr_expect_eq(nk_game_play(game, moves[0], NULL), NK_E_MOVE, "%s", ends[i].record);
        }
        cr_expect_eq(nk_game_plies(game), plies);
        nk_game_free(game);
    }
}

Test(library, only_a_repetition_is_gone_on_from)
{
    for (int i = 0; i < ENDS; i++) {
        struct nk_game *game = read_game(ends[i].record);
        nk_game_go_on(game);
        cr_expect_eq(nk_game_end(game, NULL), ends[i].end == NK_END_REPETITION ? NK_END_NONE : ends[i].end,
                     "%s", ends[i].record);
        nk_game_free(game);
    }
}

/* A game that goes on after a third occurrence ends with the fourth one, too. */
Test(library, a_fourth_occurrence_is_explained_as_a_repetition)
{
    struct nk_game *game =
        read_game("b1-b4 d5-d2 b4-b1 d2-d5 b1-b4 d5-d2 b4-b1 d2-d5 b1-b4 d5-d2 b4-b1 d2-d5");
    struct nk_explanation why;
    cr_assert(!nk_explain(table, game, 11, nk_game_move_at(game, 11), &why, NULL));
    cr_expect(why.repeats);
    nk_game_free(game);
}

/* The only empty square is a1, next to which White has no piece. */
Test(library, a_side_without_moves_has_drawn)
{
    static const struct nk_board board = {3, 3, 4, 4, NK_WIN_LINE};
    static const char record[] = "start www/bbw/1bb w\n*";
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_value value = {NK_WIN, 77};
    struct nk_table *small;
    struct nk_game *game;
    enum nk_colour winner = (enum nk_colour)77;
    int count = 77;
    cr_assert(!nk_table_solve(&board, 1, 0, NULL, NULL, &small, NULL));
    cr_assert(!nk_record_read(record, strlen(record), nk_table_rules(small), NULL, &game, NULL));
    cr_expect_eq(nk_game_end(game, &winner), NK_END_STALEMATE);
    cr_expect_eq((int)winner, 77);
    cr_expect_str_eq(nk_end_text(game).s, "Draw: White has no legal moves.");
    cr_expect(!nk_game_value(small, game, &value, NULL));
    cr_expect_eq(value.result, NK_DRAW);
    cr_expect_eq(value.plies, 0);
    cr_expect(!nk_choices(small, game, choices, &count, NULL));
    cr_expect_eq(count, 0);
    nk_game_free(game);
    nk_table_close(small);
}

Test(library, undone_moves_are_played_again_until_another_is_played)
{
    struct nk_game *game = read_game("1. b1-c1 b5-c5");
    const struct nk_position end = nk_game_position(game);
    struct nk_explanation why;
    cr_assert(!nk_game_redo(game));
    cr_assert(nk_game_undo(game));
    cr_assert(nk_game_undo(game));
    cr_assert(!nk_game_undo(game));
    cr_expect_eq(nk_game_plies(game), 0);
    cr_expect_eq(nk_game_plies_with_undone(game), 2);
    cr_expect_eq(nk_game_position_at(game, 2).mover, end.mover);
    cr_expect_eq(nk_game_to_move_at(game, 1), NK_WHITE);
    cr_expect_str_eq(nk_move_text(nk_game_rules(game), nk_game_move_at(game, 1)).s, "b5-c5");
    cr_expect(!nk_explain(table, game, 1, nk_game_move_at(game, 1), &why, NULL));
    cr_assert(nk_game_redo(game));
    cr_expect_eq(nk_game_to_move(game), NK_WHITE);
    cr_assert(!nk_game_play(game, nk_game_move_at(game, 1), NULL));
    cr_assert(!nk_game_redo(game));
    cr_expect_eq(nk_game_position(game).other, end.other);
    nk_game_free(game);
}

/* ---- trees ---- */

Test(library, the_game_of_a_node_outlives_its_tree)
{
    static const char text[] = "1. b1-c1 (1. b1-b4 c2-c3 {good} {move}) 1... c2-c3 resign";
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_tree *tree;
    struct nk_game *game;
    cr_assert(!nk_record_read_tree(text, strlen(text), rules, NULL, &tree, NULL));
    cr_assert_eq(nk_tree_count(tree), 5);
    const struct nk_node start = nk_tree_node(tree, 0), other = nk_tree_node(tree, 3);
    cr_expect_eq(start.parent, -1);
    cr_expect_eq(start.sibling, -1);
    cr_expect_eq(nk_tree_node(tree, start.child).sibling, 2);
    cr_expect_eq(other.parent, 2);
    cr_expect_eq(other.ply, 2);
    cr_expect_str_eq(other.comment, "good move");
    cr_assert(!nk_tree_game(tree, 3, &game, NULL));
    nk_tree_free(tree);
    cr_expect_eq(nk_game_plies(game), 2);
    cr_expect_str_eq(nk_move_text(rules, nk_game_move_at(game, 0)).s, "b1-b4");
    nk_game_free(game);
}

/* ---- tables ---- */

/* The number of threads is limited to what there is work for; one below 1 is one per processor. */
Test(library, any_number_of_threads_solves_the_same)
{
    static const struct nk_board board = {3, 3, 2, 2, NK_WIN_LINE};
    static const int threads[] = {1, -1, 0, 256, 1000000};
    uint64_t wins = 0;
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        struct nk_table *small;
        cr_assert(!nk_table_solve(&board, threads[i], 0, NULL, NULL, &small, NULL));
        if (!wins)
            wins = nk_table_summary(small)->wins;
        cr_expect_eq(nk_table_summary(small)->draws, 0, "%d", threads[i]);
        cr_expect_eq(nk_table_summary(small)->wins, wins, "%d", threads[i]);
        nk_table_close(small);
    }
}

#ifndef NDEBUG
Test(library, null_is_an_assertion, .signal = SIGABRT)
{
    struct nk_move move;
    (void)nk_move_parse(nk_table_rules(table), NULL, &move, NULL);
}
#endif

/* ---- a game of another board than the table's ---- */

static struct nk_rules *other_rules;
static struct nk_game *other_game;

/* It has one move, and ends differently: the standard board, where a line must not be diagonal. */
static void begin_other_game(void)
{
    const struct nk_board board = {5, 5, 3, 3, NK_WIN_ORTHOGONAL};
    struct nk_position start;
    struct nk_move moves[NK_MAX_MOVES];
    open_table();
    cr_assert_eq(nk_rules_new(&board, &other_rules, NULL), NK_OK);
    cr_assert(nk_rules_start(other_rules, &start));
    cr_assert_eq(nk_game_new(other_rules, start, NK_BLACK, &other_game, NULL), NK_OK);
    cr_assert_gt(nk_position_moves(other_rules, start, moves), 0);
    cr_assert_eq(nk_game_play(other_game, moves[0], NULL), NK_OK);
}

static void end_other_game(void)
{
    nk_game_free(other_game);
    nk_rules_free(other_rules);
    close_table();
}

TestSuite(other_board, .init = begin_other_game, .fini = end_other_game);

/* Also one without moves. */
Test(other_board, has_no_values)
{
    struct nk_value value;
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_reviewed reviewed[1];
    struct nk_explanation why;
    struct nk_move move;
    struct nk_error error;
    uint64_t random = 0;
    int count;
    cr_expect_eq(nk_choices(table, other_game, choices, &count, NULL), NK_E_RULES);
    cr_expect_eq(nk_choose(table, other_game, &random, &move, NULL), NK_E_RULES);
    cr_expect_eq(nk_review(table, other_game, reviewed, NULL), NK_E_RULES);
    cr_expect_eq(nk_explain(table, other_game, 0, nk_game_move_at(other_game, 0), &why, NULL), NK_E_RULES);
    cr_expect_eq(nk_game_value(table, other_game, &value, &error), NK_E_RULES);
    cr_expect_str_eq(
        error.text, "a game of another board: --board 5x5 --pieces 3 --row 3 --win orthogonal; the table has "
                    "--board 5x5 --pieces 3 --row 3 --win line");
    cr_assert(nk_game_undo(other_game));
    cr_expect_eq(nk_review(table, other_game, reviewed, NULL), NK_E_RULES);
}
