/* neutreeko review: the result of each move of a game and its mistakes, and summaries of many games. A game that has
 * been read is evaluated; its review is printed as text or as JSON, added to its own record, or counted in a summary
 * of the players and the opening moves. */

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/play/play.h"
#include "json_keys.h"
#include "player/player.h"
#include "player/terminal/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] = "Print the result of each move of a game, and mark mistakes. For several games,\n"
                            "in one file or in several, print a summary: the results, mistakes and accuracy\n"
                            "of each player, and the results of the opening moves. Read standard input when\n"
                            "FILE is missing or -.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko review game.txt\n"
                            "  echo '1. b1-c1 c2-c3 2. c1-a3' | neutreeko review\n"
                            "  neutreeko review --game 2 match.txt   the second game of an archive\n"
                            "  neutreeko review ~/.local/state/neutreeko/games/*\n"
                            "                                        a summary of the recorded games\n"
                            "  neutreeko review --json match.txt     every game, and the summary\n"
                            "  neutreeko review --record -o study.txt game.txt\n"
                            "                                        the game with comments and variations\n";

static const char notes[] =
    "\n"
    "A game is a list of moves:\n"
    "  # A number sign or ; begins a comment, which may also be in {braces}.\n"
    "  start 1w1w1/2b2/5/2w2/1b1b1 b\n"
    "  1. b1-c1 b5-c5\n"
    "  2. c4-a2 resign\n"
    "The line 'start' may be omitted when it is the start of the game. The numbers\n"
    "may be omitted, too. Headers as in PGN may come before it, such as\n"
    "  [White \"perfect\"]\n"
    "and the result after it: 1-0 (White has won), 0-1, 1/2-1/2 or *. The board need\n"
    "not show it: people resign, lose on time or agree to a draw. In a file of many\n"
    "games, headers begin the next game. Variations in parentheses and marks such as\n"
    "!? are read as in PGN.\n"
    "\n"
    "'before' is the result of the position, 'after' the result of the move, both\n"
    "for the side to move, in moves from before the move, with repetition taken into\n"
    "account. The marks, with the better move next to them:\n"
    "  ?   mistake: the result drops one step, from a win to a draw or from a draw\n"
    "      to a loss\n"
    "  ??  blunder: the result drops from a win to a loss\n"
    "A better move without a mark wins sooner or delays a loss longer.\n"
    "\n" REVIEW_JSON_KEYS "\n"
    "Openings that are mirror images of each other are counted as one.\n"
    "The accuracy is the percentage of moves that keep the result, among the moves\n"
    "in positions that are not lost.\n"
    "\n"
    "Exit status: 0 for success, 1 for a failure, an invalid game, or when there is\n"
    "none, 2 for incorrect usage.\n";

static struct {
    uint64_t game; /* the number of the one to review, or 0 */
    bool record;
} request;

static const struct nk_program_option options[] = {
    NK_HEADING("Review options"),
    {.name = "game",
     .argument = "N",
     .help = "Review the N-th game of all files together",
     .fallback = "all games",
     .number = &request.game,
     .least = 1,
     .most = UINT32_MAX},
    OUTPUT_OPTIONS,
    JSON_OPTION("Print one JSON object"),
    {.name = "record",
     .help =
         "Print the games with values, marks, and variations| that better moves begin, in the form in which "
         "this command reads them",
     .excludes = "json",
     .flag = &request.record},
    OUTPUT_OPTION("Write the answer to FILE| instead of standard output"),
    FORCE_OPTION,
    COLOR_OPTION,
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

/* ---- the review of a game ---- */

struct game_review {
    const struct nk_rules *rules;
    const struct nk_game *game;
    struct nk_reviewed *moves; /* [plies of the game] */
    int count;
    struct side_summary sides[2]; /* by colour */
    struct nk_value value;        /* of the position at the end, to the side to move */
};

static void clear(struct game_review *review)
{
    free(review->moves);
    review->moves = NULL;
}

/* Reviews a game, which must outlive the review. Unless it fails, the caller clears the review. NK_E_RULES if the game
 * has another board than the table, NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
static enum nk_status evaluate(struct game_review *review, struct nk_table *table, const struct nk_game *game,
                               struct nk_error *error)
{
    *review = (struct game_review){.rules = nk_game_rules(game), .game = game};
    review->count = nk_game_plies(review->game);
    review->moves = calloc((size_t)review->count + 1, sizeof *review->moves);
    if (!review->moves)
        return nk_fail_memory(error);
    enum nk_status status = nk_review(table, game, review->moves, error);
    for (int ply = 0; ply < review->count && !status; ply++) {
        const struct nk_reviewed *move = &review->moves[ply];
        struct side_summary *side = &review->sides[move->side];
        side->moves++;
        side->mistakes += move->mark == NK_MARK_MISTAKE;
        side->blunders += move->mark == NK_MARK_BLUNDER;
        side->plies_lost += move->plies_lost;
        side->chances += move->before.result != NK_LOSS;
    }
    if (!status)
        status = nk_game_value(table, game, &review->value, error);
    if (status)
        clear(review);
    return status;
}

/* ---- text ---- */

enum { SHORT_WIDTH = 11 };

/* "win in 13" or "draw", padded to a width. */
static struct nk_text short_value(struct nk_value value, int width)
{
    const struct nk_text decided =
        nk_text_of("%s in %d", nk_result_name(value.result), nk_moves_in(value.plies));
    const struct nk_text padded = nk_text_of("%-*s", width, value.result == NK_DRAW ? "draw" : decided.s);
    return display_result_text(value.result, use_colour(), padded.s);
}

enum { LINE = 200, VALUES = 21 }; /* bytes of a line; where the values begin */

/* Adds the better move to a line. */
static void add_better(const struct game_review *review, const struct nk_reviewed *move, char line[LINE])
{
    const size_t used = strlen(line);
    const struct nk_text better = nk_move_text(review->rules, move->better);
    if (move->mark != NK_MARK_NONE)
        snprintf(line + used, LINE - used, "%s %s", better.s, nk_value_text(move->before).s);
    else
        snprintf(line + used, LINE - used, "%s %s %s %s", better.s,
                 move->before.result == NK_WIN ? "wins" : "loses", nk_moves_text(move->plies_lost).s,
                 move->before.result == NK_WIN ? "sooner" : "later");
}

static void print_moves(const struct game_review *review)
{
    terminal_print(stdout, VALUES, "  ply  side   move   before       after\n");
    for (int ply = 0; ply < review->count; ply++) {
        const struct nk_reviewed *move = &review->moves[ply];
        const struct nk_text before = short_value(move->before, SHORT_WIDTH),
                             after = short_value(move->after, nk_has_better(move) ? SHORT_WIDTH : 0);
        char line[LINE];
        const int used = snprintf(line, sizeof line, "%5d  %s  %s  %s  ", ply + 1, nk_colour_name(move->side),
                                  nk_move_text(review->rules, move->move).s, before.s);
        if (nk_has_better(move)) {
            snprintf(line + used, sizeof line - (size_t)used, "%s  %-2s  ", after.s,
                     nk_mark_text(move->mark));
            add_better(review, move, line);
        } else {
            snprintf(line + used, sizeof line - (size_t)used, "%s", after.s);
        }
        terminal_print(stdout, VALUES, line);
        putchar('\n');
    }
}

static void print_end(const struct game_review *review)
{
    char text[3 * sizeof(struct nk_text) + 32];
    const char *mover = nk_colour_name(nk_game_to_move(review->game));
    const enum nk_end end = nk_game_end(review->game, NULL);
    const struct nk_text end_text = nk_end_text(review->game);
    const struct nk_text value = nk_value_text(review->value);
    if (nk_game_resigned_in_turn(review->game))
        snprintf(text, sizeof text, "\n%s\n%s resigned a position that %s with optimal play.\n", end_text.s,
                 mover, value.s);
    else if (end == NK_END_NONE || end >= NK_END_RESIGNED) /* the board does not show an end */
        snprintf(text, sizeof text, "\n%s\n%s %s with optimal play.\n", end_text.s, mover, value.s);
    else
        snprintf(text, sizeof text, "\n%s\n", end_text.s);
    terminal_print(stdout, 0, text);
}

static void print_review(const struct game_review *review)
{
    printf("%s\n\n", nk_position_text(review->rules, nk_game_position_at(review->game, 0),
                                      nk_game_to_move_at(review->game, 0))
                         .s);
    if (review->count)
        print_moves(review);
    else
        puts("No moves.");
    print_end(review);
    terminal_printf(8, "\n        moves    ?   ??  moves lost\n");
    for (int colour = NK_BLACK; colour <= NK_WHITE; colour++) {
        const struct side_summary *side = &review->sides[colour];
        terminal_printf(8, "%s   %5d %4d %4d  %10d\n", nk_colour_name((enum nk_colour)colour), side->moves,
                        side->mistakes, side->blunders, nk_moves_in(side->plies_lost));
    }
}

enum nk_status review_print(struct nk_table *table, const struct nk_game *game, struct nk_error *error)
{
    struct game_review review;
    const enum nk_status status = evaluate(&review, table, game, error);
    if (status)
        return status;
    print_review(&review);
    clear(&review);
    return NK_OK;
}

/* ---- JSON ---- */

static void add_moves_json(struct nk_json *json, const struct game_review *review)
{
    nk_json_begin(json, "moves", '[');
    for (int ply = 0; ply < review->count; ply++) {
        nk_json_begin(json, NULL, '{');
        nk_json_integer(json, "ply", ply + 1);
        nk_json_reviewed_members(json, review->rules, &review->moves[ply]);
        nk_json_end(json, '}');
    }
    nk_json_end(json, ']');
}

static void add_side(struct nk_json *json, const char *key, const struct side_summary *side)
{
    nk_json_begin(json, key, '{');
    nk_json_integer(json, "moves", side->moves);
    nk_json_integer(json, "mistakes", side->mistakes);
    nk_json_integer(json, "blunders", side->blunders);
    nk_json_integer(json, "plies_lost", side->plies_lost);
    nk_json_end(json, '}');
}

static void add_name(struct nk_json *json, const char *key, const char *name)
{
    nk_json_string(json, key, *name ? name : NULL);
}

/* Adds a game, and the tree of its record, to a list. */
static void add_review_json(struct nk_json *json, const struct nk_headers *headers,
                            const struct game_review *review, const struct nk_tree *tree)
{
    nk_json_begin(json, NULL, '{');
    add_name(json, "black", headers->players[NK_BLACK]);
    add_name(json, "white", headers->players[NK_WHITE]);
    nk_json_position(json, "start", review->rules, nk_game_position_at(review->game, 0),
                     nk_game_to_move_at(review->game, 0));
    add_moves_json(json, review);
    nk_json_begin(json, "summary", '{');
    add_side(json, "black", &review->sides[NK_BLACK]);
    add_side(json, "white", &review->sides[NK_WHITE]);
    nk_json_end(json, '}');
    nk_json_begin(json, "end", '{');
    nk_json_end_members(json, review->game);
    nk_json_position(json, "position", nk_game_rules(review->game), nk_game_position(review->game),
                     nk_game_to_move(review->game));
    nk_json_value_members(json, review->value);
    nk_json_end(json, '}');
    if (tree_has_more(tree))
        nk_json_tree(json, review->rules, tree);
    else
        nk_json_null(json, "tree");
    nk_json_end(json, '}');
}

/* ---- the annotated record ---- */

/* Adds a comment, unless the node has it. */
static enum nk_status add_comment(struct nk_tree *tree, int number, const char *comment,
                                  struct nk_error *error)
{
    return strstr(nk_tree_node(tree, number).comment, comment)
               ? NK_OK
               : nk_tree_comment(tree, number, comment, error);
}

/* Adds the better move after a node, and the best line after it. */
static enum nk_status add_line(struct nk_tree *tree, int number, struct nk_table *table,
                               const struct nk_reviewed *reviewed, struct nk_error *error)
{
    uint64_t random = 0;
    enum nk_status status;
    if ((status = nk_tree_add(tree, number, reviewed->better, &number, error)) ||
        (status = nk_tree_comment(tree, number, nk_value_text(reviewed->before).s, error)))
        return status;
    return nk_tree_add_best_line(table, tree, number, nk_shown_plies(reviewed->before, false) - 1, &random,
                                 error);
}

static bool has_move(const struct nk_tree *tree, int number, struct nk_move move)
{
    for (int child = nk_tree_node(tree, number).child; child >= 0; child = nk_tree_node(tree, child).sibling)
        if (nk_move_equal(nk_tree_node(tree, child).move, move))
            return true;
    return false;
}

/* Adds the review of the move at a ply, which leads to a node. */
static enum nk_status annotate_move(const struct game_review *review, int ply, struct nk_table *table,
                                    struct nk_tree *tree, int number, struct nk_error *error)
{
    const struct nk_reviewed *reviewed = &review->moves[ply];
    const int parent = nk_tree_node(tree, number).parent;
    enum nk_status status = add_comment(tree, number, nk_value_text(reviewed->after).s, error);
    if (!status && reviewed->mark != NK_MARK_NONE)
        status = nk_tree_mark(tree, number, nk_mark_text(reviewed->mark), error);
    if (status || !nk_has_better(reviewed) || has_move(tree, parent, reviewed->better))
        return status;
    return add_line(tree, parent, table, reviewed, error);
}

/* Adds the review to the tree of the game: the values of the moves as comments, marks, and the lines that better moves
 * begin as variations, unless the tree has them. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
static enum nk_status annotate(const struct game_review *review, struct nk_table *table, struct nk_tree *tree,
                               struct nk_error *error)
{
    enum nk_status status = NK_OK;
    int number = 0;
    for (int ply = 0; ply < review->count && !status; ply++) {
        number = nk_tree_node(tree, number).child;
        status = annotate_move(review, ply, table, tree, number, error);
    }
    return status;
}

/* ---- the games of all files ---- */

/* What has been read of all files. For a report as text, the first game is kept, because it is reviewed move by move if
 * there are no others; as JSON and with --record, each game is printed at once. */
struct reading {
    struct nk_table *table;
    struct nk_json *json;      /* what is being printed, or NULL: text, or no game so far */
    bool recorded;             /* with --record, a game was printed */
    struct nk_headers headers; /* of the game */
    struct nk_game *game; /* the first, or the one that --game names; NULL if there is none, or with JSON */
    struct review_summary summary; /* of the others, or with JSON of all */
    uint64_t games;                /* including the invalid ones */
    uint64_t invalid;
    bool missing; /* a file could not be opened */
    bool failed;  /* after an error message */
    bool done;    /* there is no point in continuing */
};

/* Begins the JSON object, and in it the list of games, unless that has been done. */
static void begin_json(struct reading *reading)
{
    if (reading->json)
        return;
    reading->json = nk_json_begin_line();
    nk_json_begin(reading->json, "games", '[');
}

/* Prints the annotated record of a game. */
static enum nk_status print_record(struct reading *reading, const struct nk_headers *headers,
                                   const struct game_review *review, struct nk_tree *tree,
                                   struct nk_error *error)
{
    const enum nk_status status = annotate(review, reading->table, tree, error);
    if (status)
        return status;
    char *text = nk_record_tree_text(tree, headers);
    if (!text)
        return nk_fail_memory(error);
    if (strlen(text) > MAX_RECORD) {
        free(text);
        return nk_fail(error, NK_E_LIMIT, 0,
                       "the annotated game has more than %d MiB, too long to be read back", MAX_RECORD >> 20);
    }
    printf("%s%s", reading->recorded ? "\n" : "", text);
    reading->recorded = true;
    free(text);
    return NK_OK;
}

/* Prints a game as JSON or as a record, if that is what is wanted, and adds it to the summary. */
static enum nk_status add_game(struct reading *reading, const struct nk_headers *headers,
                               const struct nk_game *game, struct nk_tree *tree, struct nk_error *error)
{
    struct game_review review;
    enum nk_status status = evaluate(&review, reading->table, game, error);
    if (status)
        return status;
    if (request.record)
        status = print_record(reading, headers, &review, tree, error);
    else
        status = review_summary_add(&reading->summary, headers, game, review.sides, error);
    if (!status && common_options.json) {
        begin_json(reading);
        add_review_json(reading->json, headers, &review, tree);
    }
    clear(&review);
    return status;
}

/* `tree` is needed for printing as JSON or as a record, and NULL otherwise. Takes ownership of the game. */
static void take_game(struct reading *reading, const struct nk_headers *headers, struct nk_game *game,
                      struct nk_tree *tree)
{
    struct nk_error error;
    if (request.game && reading->games != request.game) {
        nk_game_free(game);
        return;
    }
    if (!tree && !reading->game) {
        reading->headers = *headers;
        reading->game = game;
    } else {
        reading->failed = add_game(reading, headers, game, tree, &error);
        nk_game_free(game);
        if (reading->failed)
            report_error(&error);
    }
    reading->done = reading->failed || request.game;
}

/* Reports invalid games, and reads the others all the same. */
static void read_file(struct reading *reading, const char *path)
{
    struct archive *archive = NULL;
    struct nk_error error;
    if (archive_open(path, nk_table_rules(reading->table), &archive, &error)) {
        nk_report("%s", error.text);
        reading->missing = true;
        return;
    }
    while (!reading->done) {
        struct nk_headers headers;
        struct nk_game *game;
        struct nk_tree *tree = NULL;
        const bool wants_tree = common_options.json || request.record;
        const enum nk_status status =
            archive_next(archive, &headers, &game, wants_tree ? &tree : NULL, &error);
        if (!status && !game)
            break;
        reading->games++;
        if (status) {
            nk_report("%s", error.text);
            reading->invalid++;
        } else {
            if (*headers.warning)
                nk_report("%s", headers.warning);
            take_game(reading, &headers, game, tree);
            nk_tree_free(tree);
        }
    }
    archive_close(archive);
}

/* Returns the exit status. */
static int print_answer(struct reading *reading, int files)
{
    struct nk_error error;
    if (request.game && !reading->done) {
        if (!reading->missing && reading->games < request.game)
            nk_report("%s", archive_no_game(request.game, reading->games).s);
        return EXIT_FAILURE;
    }
    if (!reading->failed && !reading->missing && !reading->games)
        nk_report("%s", archive_no_game(1, 0).s);
    if (common_options.json && !reading->failed && reading->invalid)
        begin_json(reading); /* of no game, if there is none */
    if (reading->failed || (!reading->game && !reading->json && !reading->recorded))
        return EXIT_FAILURE;
    if (reading->recorded)
        return EXIT_SUCCESS;
    if (reading->json) {
        nk_json_end(reading->json, ']');
        review_summary_json(reading->json, &reading->summary, reading->invalid);
        nk_json_end_line(reading->json);
        return EXIT_SUCCESS;
    }
    const bool is_single = request.game || (reading->games == 1 && files <= 1);
    if (is_single ? review_print(reading->table, reading->game, &error)
                  : add_game(reading, &reading->headers, reading->game, NULL, &error))
        return report_error(&error);
    if (!is_single)
        review_summary_print(&reading->summary, reading->invalid);
    return EXIT_SUCCESS;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    struct reading reading = {.table = table};
    if (!begin_output())
        return EXIT_FAILURE;
    if (!argc)
        read_file(&reading, "-");
    for (int n = 0; n < argc && !reading.done; n++)
        read_file(&reading, argv[n]);
    const int status = print_answer(&reading, argc);
    review_summary_clear(&reading.summary);
    nk_game_free(reading.game);
    const bool written = end_output(!status);
    return reading.invalid || reading.missing || !written ? EXIT_FAILURE : status;
}

const struct command review_command = {.line = {"neutreeko review", " [OPTION]... [FILE | -]...", about,
                                                options, notes, .operands = NK_ANY_OPERANDS},
                                       .reads_input = BY_DEFAULT,
                                       .run = run};
