/* Games as text. That it is read as the same game is shown by tests/fuzz/record.c; other texts and headers are in
 * tests/programs/test_review.py. */

#include "common/game/game.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The headers of every record. */
#define HEADERS(result) "[Result \"" result "\"]\n[Board \"5x5, 3 pieces, row 3, line\"]\n"

/* The start with another side to move is written, or it would be read as another game. What was taken back is not
 * written. */
Test(record, has_the_start_and_the_moves_of_a_game)
{
    static const struct {
        const char *position, *moves;
        bool resigns;
        int undone;
        const char *text;
    } cases[] = {
        {standard_start, "", false, 0, HEADERS("*") "\n*\n"},
        {"1b1b1/2w2/5/2b2/1w1w1 w", "", false, 0, HEADERS("*") "[Start \"1b1b1/2w2/5/2b2/1w1w1 w\"]\n\n*\n"},
        {standard_start, "b1-c1 c2-c3 c1-a3", true, 0,
         HEADERS("0-1") "\n1. b1-c1 c2-c3\n2. c1-a3 resign\n{White resigns: Black wins.}\n0-1\n"},
        {standard_start, "b1-c1 c2-c3 c1-a3", true, 2, HEADERS("*") "\n1. b1-c1 c2-c3\n*\n"},
        {"1w1w1/2b2/5/2w2/1b1b1 w", "b5-c5 b1-c1", false, 0,
         HEADERS("*") "[Start \"1w1w1/2b2/5/2w2/1b1b1 w\"]\n\n1... b5-c5\n2. b1-c1\n*\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_GAME *game = begin_game(NULL, cases[i].position);
        play_moves(game, cases[i].moves);
        if (cases[i].resigns)
            nk_game_resign(game);
        for (int undone = 0; undone < cases[i].undone; undone++)
            nk_game_undo(game);
        AUTO_STRING *text = nk_record_text(game, NULL);
        cr_assert_str_eq(text, cases[i].text);
    }
}

Test(record, has_the_stated_result_of_an_open_game)
{
    static const struct {
        enum nk_outcome stated;
        const char *text;
    } cases[] = {{NK_OUTCOME_OPEN, HEADERS("*") "\n1. b1-c1\n*\n"},
                 {NK_OUTCOME_BLACK, HEADERS("0-1") "\n1. b1-c1\n0-1\n"},
                 {NK_OUTCOME_WHITE, HEADERS("1-0") "\n1. b1-c1\n1-0\n"},
                 {NK_OUTCOME_DRAW, HEADERS("1/2-1/2") "\n1. b1-c1\n1/2-1/2\n"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_GAME *game = begin_game(NULL, standard_start);
        play_moves(game, "b1-c1");
        AUTO_STRING *text = nk_record_text(game, &(struct nk_headers){.outcome = cases[i].stated});
        cr_assert_str_eq(text, cases[i].text);
    }
}

/* Every end that the board does not show is written so that it is read again, and undo takes it back. */
Test(record, keeps_how_a_game_ended)
{
    static const struct {
        enum nk_end end;
        enum nk_outcome outcome;
        const char *text;
    } cases[] = {
        {NK_END_RESIGNED, NK_OUTCOME_BLACK,
         HEADERS("0-1") "\n1. b1-c1 resign\n{White resigns: Black wins.}\n0-1\n"},
        {NK_END_RESIGNED, NK_OUTCOME_WHITE, HEADERS("1-0") "\n1. b1-c1\n{Black resigns: White wins.}\n1-0\n"},
        {NK_END_TIME, NK_OUTCOME_BLACK, HEADERS("0-1") "\n1. b1-c1\n{Black wins on time.}\n0-1\n"},
        {NK_END_AGREED, NK_OUTCOME_DRAW, HEADERS("1/2-1/2") "\n1. b1-c1\n{Draw by agreement.}\n1/2-1/2\n"},
        {NK_END_STATED, NK_OUTCOME_WHITE, HEADERS("1-0") "\n1. b1-c1\n1-0\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_GAME *game = begin_game(NULL, standard_start);
        AUTO_GAME *again = NULL;
        enum nk_colour winner = NK_BLACK;
        struct nk_headers headers;
        play_moves(game, "b1-c1");
        cr_assert(!nk_game_finish(game, cases[i].end, cases[i].outcome, NULL));
        AUTO_STRING *text = nk_record_text(game, NULL);
        cr_assert_str_eq(text, cases[i].text);
        cr_assert(!nk_record_read(text, strlen(text), nk_game_rules(game), &headers, &again, NULL));
        cr_assert_eq(nk_game_end(again, &winner), cases[i].end, "%s", text);
        cr_assert_eq(winner, cases[i].outcome == NK_OUTCOME_WHITE ? NK_WHITE : NK_BLACK);
        cr_assert_eq(headers.outcome, cases[i].outcome);
        cr_assert_str_eq(headers.warning, "");
        cr_assert(nk_game_undo(again));
        cr_assert_eq(nk_game_end(again, NULL), NK_END_NONE);
        cr_assert_eq(nk_game_plies(again), 1);
    }
}

Test(record, ends_only_as_games_can)
{
    AUTO_GAME *game = begin_game(NULL, standard_start);
    cr_assert_eq(nk_game_finish(game, NK_END_AGREED, NK_OUTCOME_WHITE, NULL), NK_E_MOVE);
    cr_assert_eq(nk_game_finish(game, NK_END_TIME, NK_OUTCOME_DRAW, NULL), NK_E_MOVE);
    cr_assert_eq(nk_game_finish(game, NK_END_STATED, NK_OUTCOME_OPEN, NULL), NK_E_MOVE);
    cr_assert_eq(nk_game_finish(game, NK_END_REPETITION, NK_OUTCOME_DRAW, NULL), NK_E_MOVE);
    cr_assert_eq(nk_game_end(game, NULL), NK_END_NONE);
    cr_assert_eq(nk_game_finish(game, NK_END_TIME, NK_OUTCOME_WHITE, NULL), NK_OK);
    cr_assert_eq(nk_game_finish(game, NK_END_AGREED, NK_OUTCOME_DRAW, NULL), NK_E_MOVE);
    cr_assert_eq(nk_game_end(game, NULL), NK_END_TIME);
}

Test(record, needs_more_than_comments)
{
    static const char *const none[] = {"",
                                       " \n",
                                       "\ufeff",
                                       "; a comment",
                                       "% a line\n{a comment}",
                                       "<12>",
                                       "(a comment (with another))\n<12> ; a third"};
    static const char *const some[] = {"*", "[Event \"x\"]"};
    struct nk_rules rules;
    AUTO_GAME *game = NULL;
    struct nk_error error;
    (void)nk_rules_init(&rules, NULL, NULL);
    for (size_t i = 0; i < COUNT(none); i++) {
        cr_assert_eq(nk_record_read(none[i], strlen(none[i]), &rules, NULL, &game, &error), NK_E_SYNTAX,
                     "%zu", i);
        cr_assert_str_eq(error.text, NK_NO_GAME);
    }
    for (size_t i = 0; i < COUNT(some); i++) {
        AUTO_GAME *without_moves = NULL;
        cr_assert(!nk_record_read(some[i], strlen(some[i]), &rules, NULL, &without_moves, &error), "%s",
                  error.text);
        cr_assert_eq(nk_game_plies(without_moves), 0);
    }
}

/* Longer than what is copied of it: with a sanitizer, nothing is written behind the copy. */
Test(record, refuses_a_word_that_is_longer_than_any_position)
{
    const struct nk_rules rules = rules_of(STANDARD);
    char text[1000] = "b1-c1 ";
    AUTO_GAME *game = NULL;
    struct nk_error error;
    memset(text + strlen(text), 'a', sizeof text - strlen(text) - 1);
    cr_assert_eq(nk_record_read(text, strlen(text), &rules, NULL, &game, &error), NK_E_SYNTAX);
    cr_assert_eq(error.at, 8);
}

Test(record, needs_a_start_where_the_board_has_none)
{
    const struct nk_rules rules = rules_of((struct nk_board){4, 3, 3, 3, NK_WIN_LINE});
    static const char move[] = "# board\n 1. a1-a2", good[] = "start bb1b/4/ww1w b\n";
    static const char other[] = "[Board \"5x5, 3 pieces, row 3, line\"]\n";
    AUTO_GAME *game = NULL;
    struct nk_error error;
    cr_assert_eq(nk_record_read(move, strlen(move), &rules, NULL, &game, &error), NK_E_POSITION);
    cr_assert(!strncmp(error.text, "line 2, character 1: ", 21), "%s", error.text);
    cr_assert_eq(nk_record_read("*", 1, &rules, NULL, &game, NULL), NK_E_POSITION);
    cr_assert_eq(nk_record_read(other, strlen(other), &rules, NULL, &game, NULL), NK_E_RULES);
    cr_assert(!nk_record_read(good, strlen(good), &rules, NULL, &game, &error));
}

/* The record of the tree that is read from a record; NULL after an error, which is in *error. */
static char *rewritten(const char *text, struct nk_error *error)
{
    const struct nk_rules rules = rules_of(STANDARD);
    AUTO_TREE *tree = NULL;
    if (nk_record_read_tree(text, strlen(text), &rules, NULL, &tree, error))
        return NULL;
    return nk_record_tree_text(tree, NULL);
}

/* What a record has between its headers and its result, which are cut off. */
static char *moves_of(char *record)
{
    char *const end = record + strlen(record) - 1;
    *end = '\0';
    char *const last = strrchr(record, '\n') + 1;
    *last = '\0';
    return strstr(record, "\n\n") + 2;
}

Test(record, keeps_all_that_pgn_has_between_moves_in_one_form)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"1. b1-c1 (1. b1-b4 c2-c3) (d1-c1) 1... c2-c3 2. c1-a3",
         "1. b1-c1\n  (1. b1-b4 c2-c3)\n  (1. d1-c1)\n1... c2-c3\n2. c1-a3\n"},
        {"b1-c1 c2-c3 (b5-c5 c1-a3 (d1-e1 {x} ; y }\n) d5-d2) c1-a3",
         "1. b1-c1 c2-c3\n  (1... b5-c5 2. c1-a3\n    (2. d1-e1 ; x y }\n) 2... d5-d2)\n2. c1-a3\n"},
        {"{ a\n b } b1-c1 ; c\n # d\nc2-c3 {\t}", "{a b}\n1. b1-c1 {c d} 1... c2-c3\n"},
        {"b1-c1 {a} (; b\n1. b1-b4) {c}", "1. b1-c1 {a c}\n  (1. b1-b4 {b})\n"},
        {"b1-c1 (good) c2-c3 <12> (1-0 (x))", "1. b1-c1 {(good)} 1... c2-c3 {<12> (1-0 (x))}\n"},
        {"(b1-b4) b1-c1 ((c2-c3))", "{(b1-b4)}\n1. b1-c1 {((c2-c3))}\n"},
        {"b1-c1 ; a } b\nc2-c3", "1. b1-c1 ; a } b\n1... c2-c3\n"},
        {"b1-c1 $255 $25 $2", "1. b1-c1 $255 $25 ?\n"},
        {"b1-c1 $255 ! $25 ?", "1. b1-c1 $255 $25 ?\n"},
        {"b1-c1 $255 ! ?", "1. b1-c1 $255 ?\n"},
        {"b1-c1?! $6 $14 $014 $256 $ c2-c3!?! !! $2", "1. b1-c1?! $14 c2-c3?\n"},
        {"b1-c1 resign (c2-c3 c1-a3) {x}",
         "1. b1-c1 {x} 1... resign\n  (1... c2-c3 2. c1-a3)\n{White resigns: Black wins.}\n"},
        {"b1-c1 (b1-b4 resign 1-0) # x White resigns: Black wins.\n* # c",
         "1. b1-c1 {x White resigns: Black wins. c}\n  (1. b1-b4 resign)\n"},
        {"{\x1b[2J \xff} b1-c1", "{\ufffd[2J \ufffd}\n1. b1-c1\n"},
        {"b1-c1 {black resigns.} 1-0", "1. b1-c1\n{Black resigns: White wins.}\n"},
        {"b1-c1 {Black resign} 1-0", "1. b1-c1 {Black resign}\n{Black resigns: White wins.}\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_STRING *text = rewritten(cases[i].text, NULL), *again = rewritten(cases[i].expected, NULL);
        cr_assert_str_eq(moves_of(text), cases[i].expected);
        cr_assert_str_eq(moves_of(again), cases[i].expected);
    }
}

/* Neither reading nor writing uses the stack for each level. */
Test(record, keeps_ten_thousand_nested_variations)
{
    enum { DEPTH = 10000, LENGTH = 13, ROOM = 100 + DEPTH * (LENGTH + 1) };
    static const char *const levels[] = {"b1-c1 (b1-b4 ", "b5-c5 (d5-d2 ", "d1-e1 (b4-b1 ", "b5-e5 (d2-d5 "};
    char text[ROOM] = "";
    AUTO_TREE *tree = NULL;
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t depth = 0; depth < DEPTH; depth++)
        memcpy(text + LENGTH * depth, levels[depth % COUNT(levels)], LENGTH);
    memset(text + LENGTH * DEPTH, ')', DEPTH);
    cr_assert(!nk_record_read_tree(text, strlen(text), &rules, NULL, &tree, NULL));
    cr_assert_eq(nk_tree_count(tree), 1 + 2 * DEPTH);
    AUTO_STRING *all = rewritten(text, NULL), *again = rewritten(all, NULL);
    cr_assert_str_eq(again, all);
    cr_assert_null(strstr(all, "\n                     "), "a line is indented by more than 20 blanks");
}

Test(record, refuses_invalid_variations_with_the_place)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"b1-c1\n(b1-b4 c2-c9)",
         "line 2, character 12: move 2 (White) in a variation: invalid move 'c2-c9': found '9', expected a rank, 1-5"},
        {"b1-c1 (b1-b2)",
         "line 1, character 8: move 1 (Black) in a variation: illegal move 'b1-b2': the piece slides until "
         "something stops it: on b4, not b2"},
        {"b1-c1\n (b1-b4 (c4-a2", "line 2, character 9: unterminated variation: expected ')'"},
        {"b1-c1\n (b1-b4 (c4-a2)", "line 2, character 2: unterminated variation: expected ')'"},
        {"b1-c1 (x", "line 1, character 7: unterminated variation: expected ')'"},
        {"b1-c1 (b1-b4))", "line 1, character 14: unexpected ')': no variation is open"},
        {"b1-c1 (b1-b4 resign c2-c3)",
         "line 1, character 21: move 2 (White) in a variation: illegal move 'c2-c3': the game is over"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nk_error error;
        cr_assert_null(rewritten(cases[i].text, &error));
        cr_assert_str_eq(error.text, cases[i].message);
    }
}

/* A tree of the start with a move of the game, node 1, and an alternative with a reply, nodes 2 and 3. */
static struct nk_tree *small_tree(const struct nk_rules *rules)
{
    static const char text[] = "b1-c1 (b1-b4 c2-c3)";
    struct nk_tree *tree = NULL;
    cr_assert(!nk_record_read_tree(text, strlen(text), rules, NULL, &tree, NULL));
    return tree;
}

/* A third occurrence ends the game at the last node, and not where moves follow, from wherever the tree comes. */
Test(record, tree_goes_on_after_repetition_only_where_moves_follow)
{
    static const char text[] = "b1-b4 d5-d2 b4-b1 d2-d5 b1-b4 d5-d2 b4-b1 d2-d5 b1-c1";
    enum { THIRD = 8 };
    const struct nk_rules rules = rules_of(STANDARD);
    for (int from = 0; from <= THIRD + 1; from++) {
        AUTO_TREE *whole = NULL, *part = NULL;
        struct nk_move move;
        AUTO_GAME *game = NULL, *other = NULL, *resigned = NULL;
        int number;
        cr_assert(!nk_record_read_tree(text, strlen(text), &rules, NULL, &whole, NULL));
        cr_assert(!nk_record_read_tree(text, strlen(text) - strlen(" b1-c1"), &rules, NULL, &part, NULL));
        cr_assert(!nk_move_parse(&rules, "b1-b4", &move, NULL));
        cr_assert(!nk_tree_game(whole, from, &game, NULL));
        do /* also where moves have been taken back */
            cr_assert_eq(nk_game_end(game, NULL), NK_END_NONE, "from %d", from);
        while (nk_game_undo(game));
        cr_assert(!nk_tree_add(whole, THIRD, move, &number, NULL), "from %d", from);
        cr_assert(!nk_tree_game(part, from <= THIRD ? from : 0, &other, NULL));
        cr_assert_eq(nk_game_end(other, NULL), from == THIRD ? NK_END_REPETITION : NK_END_NONE);
        cr_assert_eq(nk_tree_add(part, THIRD, move, &number, NULL), NK_E_MOVE, "from %d", from);
        cr_assert(!nk_tree_resign(part, THIRD, NULL));
        cr_assert(!nk_tree_node(part, THIRD).resigned);
        cr_assert(!nk_tree_resign(whole, THIRD, NULL));
        cr_assert(!nk_tree_game(whole, THIRD, &resigned, NULL));
        cr_assert_eq(nk_game_end(resigned, NULL), NK_END_RESIGNED);
    }
}

Test(record, tree_stays_after_an_illegal_move)
{
    const struct nk_rules rules = rules_of(STANDARD);
    AUTO_TREE *tree = small_tree(&rules);
    struct nk_move move;
    int number;
    cr_assert(!nk_move_parse(&rules, "c2-c3", &move, NULL));
    cr_assert_eq(nk_tree_add(tree, 3, move, &number, NULL), NK_E_MOVE);
    cr_assert(!nk_tree_add(tree, 1, move, &number, NULL));
    AUTO_STRING *text = nk_record_tree_text(tree, NULL);
    cr_assert_str_eq(text, HEADERS("*") "\n1. b1-c1\n  (1. b1-b4 c2-c3)\n1... c2-c3\n*\n");
}

Test(record, tree_takes_only_marks_of_pgn)
{
    static const char *const others[] = {"", "$", "$256", "$25600", "$1x", "???", "x"};
    const struct nk_rules rules = rules_of(STANDARD);
    AUTO_TREE *tree = small_tree(&rules);
    for (size_t i = 0; i < COUNT(others); i++) {
        AUTO_STRING *other = strdup(others[i]); /* so that reading behind it is found */
        cr_assert_eq(nk_tree_mark(tree, 1, other, NULL), NK_E_SYNTAX, "%s", other);
    }
    cr_assert_str_eq(nk_tree_node(tree, 1).marks, "");
}

Test(record, tree_takes_no_mark_at_the_start)
{
    const struct nk_rules rules = rules_of(STANDARD);
    AUTO_TREE *tree = small_tree(&rules);
    cr_assert(!nk_tree_mark(tree, 0, "!", NULL));
    cr_assert_str_eq(nk_tree_node(tree, 0).marks, "");
}

/* At the ^ begins the next game. */
Test(record, ends_where_the_next_one_begins)
{
    static const char *const texts[] = {
        "b1-c1 *\n^b1-b4",
        "b1-c1 * ^b1-b4",
        "b1-c1 1-0 0-1\n^1-0",
        "b1-c1 1\u20130 # 0-1\n^ b1-b4",
        "b1-c1 \u00bd-\u00bd\n^[White \"a\"]",
        "b1-c1 (b1-b4 * (c4-a2) 1-0) {*} ; 0-1\n%*\nc2-c3",
        "(a comment) <12>\n[White \"a\"]\nb1-c1\n^[White \"b\"]",
        "b1-c1 1/2-1/2 {drawn by\nagreement} ^[White \"b\"]",
        "[White \"a\"]\n(b1-c1\n[White \"b\"]\n) {\n[White \"c\"]\n}\nb1-c1\n^[White \"d\"]",
        "b1-c1 *; *\n^b1-b4",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        const char *mark = strchr(texts[i], '^');
        const size_t first = strcspn(texts[i], "^");
        char text[80] = "";
        strncat(text, texts[i], first);
        strcat(text, mark ? mark + 1 : "");
        cr_assert_eq(nk_record_length(text, strlen(text)), first, "%s", texts[i]);
    }
}

/* Makes a tree while an allocation fails. Returns whether there were so many; then there is no tree. */
static bool fails_at(long allocation, enum nk_status (*make)(struct nk_tree **tree, struct nk_error *error))
{
    struct nk_tree *tree = NULL;
    struct nk_error error = {.text = ""};
    const long others = unfreed_blocks;
    fail_after(allocation);
    const enum nk_status status = make(&tree, &error);
    const bool has_failed = end_failing();
    cr_assert_eq(status, has_failed ? NK_E_MEMORY : NK_OK, "allocation %ld: %s", allocation, error.text);
    cr_assert_eq(tree == NULL, has_failed);
    nk_tree_free(tree);
    cr_assert_eq(unfreed_blocks, others, "allocation %ld", allocation);
    return has_failed;
}

/* It has more nodes and deeper variations than there is room for at first. */
static enum nk_status read_long_record(struct nk_tree **tree, struct nk_error *error)
{
    static const char text[] =
        "[Start \"1w1w1/2b2/5/2w2/1b1b1 w\"] {one} d5-d2 $14 b1-c1 (b1-b4 (d1-c1 {two}) d2-d5) d2-e2 c4-d3 e2-d2 d3-e2 "
        "d2-e1 e2-c4 b5-b1 d1-d5 c2-c3 d5-a5 e1-d1 a5-b4 c3-c2 b4-b2 c2-c3 c1-c2 b1-a2 c4-e2 resign {three}";
    static struct nk_rules rules;
    rules = rules_of(STANDARD);
    return nk_record_read_tree(text, strlen(text), &rules, NULL, tree, error);
}

Test(record, is_not_read_in_part_when_memory_runs_out)
{
    int failures = 0;
    while (fails_at(failures, read_long_record))
        failures++;
    cr_assert_gt(failures, 15);
}

static struct nk_game *long_game;

static enum nk_status make_tree_of_game(struct nk_tree **tree, struct nk_error *error)
{
    return nk_tree_of_game(long_game, tree, error);
}

Test(record, of_a_game_has_all_of_it_or_is_none_when_memory_runs_out)
{
    AUTO_GAME *game = long_game = begin_game(NULL, "1w1w1/2b2/5/2w2/1b1b1 w");
    int failures = 0;
    play_moves(
        game,
        "d5-d2 b1-c1 d2-e2 c4-d3 e2-d2 d3-e2 d2-e1 e2-c4 b5-b1 d1-d5 c2-c3 d5-a5 e1-d1 a5-b4 c3-c2 b4-b2");
    cr_assert(!nk_game_finish(game, NK_END_TIME, NK_OUTCOME_WHITE, NULL));
    while (fails_at(failures, make_tree_of_game))
        failures++;
    cr_assert_gt(failures, 5);
}

/* What cannot be added because memory runs out leaves the tree as it is. */
Test(record, tree_is_as_before_when_memory_runs_out)
{
    AUTO_GAME *game = begin_game(NULL, standard_start);
    play_moves(game, "b1-c1 b5-c5");
    AUTO_TREE *tree = NULL;
    struct nk_error error = {.text = ""};
    struct nk_game *copy = NULL;
    cr_assert(!nk_tree_of_game(game, &tree, NULL));
    cr_assert(!nk_tree_comment(tree, 1, "old", NULL));
    cr_assert(!nk_tree_mark(tree, 1, "!", NULL));
    AUTO_STRING *before = nk_record_tree_text(tree, NULL);
    char long_comment[200] = "";
    memset(long_comment, 'x', sizeof long_comment - 1);
    for (int what = 0; what < 4; what++) {
        fail_after(0);
        const enum nk_status status = what == 0   ? nk_tree_comment(tree, 1, long_comment, &error)
                                      : what == 1 ? nk_tree_comment(tree, 2, "new", &error)
                                      : what == 2 ? nk_tree_mark(tree, 1, "?", &error)
                                                  : nk_tree_game(tree, 1, &copy, &error);
        cr_assert(end_failing());
        cr_assert_eq(status, NK_E_MEMORY, "%d", what);
        AUTO_STRING *after = nk_record_tree_text(tree, NULL);
        cr_assert_str_eq(after, before, "%d", what);
    }
    cr_assert_null(copy);
    fail_after(0);
    char *const text = nk_record_tree_text(tree, NULL);
    cr_assert(end_failing());
    cr_assert_null(text);
}
