/* neutreeko review: the result of each move of a game, and its mistakes. */

#include "player/commands/common.h"
#include "player/game.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] = "Print the result of each move of a game, and mark mistakes. Read the game from\n"
                            "FILE, or from standard input when FILE is missing or -.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko review game.txt\n"
                            "  echo '1. b1-c1 c2-c3 2. c1-a3' | neutreeko review\n"
                            "  neutreeko review --json game.txt\n";

static const char notes[] =
    "\n"
    "A game is a list of moves:\n"
    "  # A number sign begins a comment.\n"
    "  start 1w1w1/2b2/5/2w2/1b1b1 b\n"
    "  1. b1-c1 b5-c5\n"
    "  2. c4-a2 resign\n"
    "The line 'start' may be omitted when it is the start of the game. The numbers\n"
    "may be omitted, too.\n"
    "\n"
    "'before' is the result of the position, 'after' the result of the move, both\n"
    "for the side to move, in plies from before the move, with repetition taken into\n"
    "account. The marks, with the better move next to them:\n"
    "  ?   mistake: the result drops one step, from a win to a draw or from a draw\n"
    "      to a loss\n"
    "  ??  blunder: the result drops from a win to a loss\n"
    "A better move without a mark wins sooner or delays a loss longer.\n"
    "\n"
    "The JSON object has:\n"
    "  start    the first position\n"
    "  moves    for each move: ply (from 1), side, move, before and after (each with\n"
    "           result and distance, null for a draw), mark (\"?\", \"?\?\" or null),\n"
    "           better (a move or null), plies_wasted\n"
    "  summary  for black and white: moves, errors (?), blunders (?\?), plies_wasted\n"
    "  end      reason (row, repetition, stuck, resigned or none), winner (or null),\n"
    "           and the position, with result and distance for the side to move\n"
    "\n"
    "Exit status: 0 for success, 1 for a failure or an invalid game, 2 for incorrect\n"
    "usage.\n";

enum { MAX_FILE = 1 << 20 }; /* bytes; far more than any game needs */

struct side_summary {
    int moves, errors, blunders, plies_wasted;
};

struct review {
    const struct nk_rules *rules;
    struct nk_game *game;
    struct nk_reviewed *moves; /* [plies of the game] */
    int count;
    struct side_summary sides[2]; /* by colour */
    struct nk_value value;        /* of the position at the end, to the side to move */
};

/* ---- reading ---- */

static bool read_game(struct review *review, const char *path)
{
    const bool from_input = strcmp(path, "-") == 0;
    const char *name = from_input ? "standard input" : path;
    char *text = malloc(MAX_FILE + 1);
    FILE *stream = from_input ? stdin : fopen(path, "rb");
    const size_t length = text && stream ? fread(text, 1, MAX_FILE + 1, stream) : 0;
    struct nk_error error;
    if (!text)
        nk_report(program, "out of memory");
    else if (!stream || ferror(stream))
        nk_report(program, "%s: %s", name, strerror(errno));
    else if (length > MAX_FILE)
        nk_report(program, "%s: more than %d bytes, too long for a game", name, (int)MAX_FILE);
    else if (nk_record_read(text, length, review->rules, &review->game, &error))
        nk_report(program, "%s: %s", name, error.text);
    if (stream && !from_input)
        fclose(stream);
    free(text);
    return review->game;
}

/* ---- evaluation ---- */

static void count_move(struct side_summary *side, const struct nk_reviewed *move)
{
    side->moves++;
    side->errors += move->mark == NK_MARK_ERROR;
    side->blunders += move->mark == NK_MARK_BLUNDER;
    side->plies_wasted += move->plies_lost;
}

static bool evaluate(struct review *review, struct nk_table *table)
{
    struct nk_error error;
    review->count = nk_game_plies(review->game);
    review->moves = calloc((size_t)review->count + 1, sizeof *review->moves);
    if (!review->moves) {
        nk_report(program, "out of memory");
        return false;
    }
    enum nk_status status = nk_game_value(table, review->game, &review->value, &error);
    for (int ply = 0; ply < review->count && !status; ply++) {
        struct nk_reviewed *move = &review->moves[ply];
        status = nk_review(table, review->game, ply, move, &error);
        if (!status)
            count_move(&review->sides[move->mover], move);
    }
    return status == NK_OK || report_error(&error);
}

static bool has_better(const struct nk_reviewed *move)
{
    return move->mark != NK_MARK_NONE || move->plies_lost;
}

static const char *mark_text(enum nk_mark mark)
{
    return mark == NK_MARK_ERROR ? "?" : mark == NK_MARK_BLUNDER ? "??" : "";
}

/* ---- text ---- */

/* "win in 13" or "draw", which fits into a column. */
static void short_value(struct nk_value value, char text[NK_VALUE_TEXT])
{
    if (value.result == NK_DRAW)
        snprintf(text, NK_VALUE_TEXT, "draw");
    else
        snprintf(text, NK_VALUE_TEXT, "%s in %d", nk_result_name(value.result), value.plies);
}

static void print_better(const struct review *review, const struct nk_reviewed *move)
{
    char better[NK_MOVE_TEXT], value[NK_VALUE_TEXT];
    nk_move_print(review->rules, move->better, better);
    nk_value_format(move->before, value);
    if (move->mark != NK_MARK_NONE)
        printf("%s %s", better, value);
    else
        /* Wins take an odd number of plies and losses an even one, so 2 are lost at least. */
        printf(move->before.result == NK_WIN ? "%s wins %d plies sooner" : "%s loses %d plies later", better,
               move->plies_lost);
}

static void print_moves(const struct review *review)
{
    printf("  ply  side   move   before       after\n");
    for (int ply = 0; ply < review->count; ply++) {
        const struct nk_reviewed *move = &review->moves[ply];
        char text[NK_MOVE_TEXT], before[NK_VALUE_TEXT], after[NK_VALUE_TEXT];
        nk_move_print(review->rules, move->move, text);
        short_value(move->before, before);
        short_value(move->after, after);
        printf("%5d  %s  %s  %-11s  ", ply + 1, nk_colour_name(move->mover), text, before);
        if (has_better(move)) {
            printf("%-11s  %-2s  ", after, mark_text(move->mark));
            print_better(review, move);
        } else {
            fputs(after, stdout);
        }
        putchar('\n');
    }
}

static void print_end(const struct review *review)
{
    char words[NK_END_TEXT], value[NK_VALUE_TEXT];
    const char *mover = nk_colour_name(nk_game_to_move(review->game));
    const enum nk_end end = nk_game_end(review->game, NULL);
    nk_end_format(review->game, words);
    printf("\n%s\n", words);
    nk_value_format(review->value, value);
    if (end == NK_END_NONE)
        printf("%s %s with optimal play.\n", mover, value);
    else if (end == NK_END_RESIGNED)
        printf("%s resigned a position that %s with optimal play.\n", mover, value);
}

static void print_text_review(const struct review *review)
{
    char start[NK_POSITION_TEXT];
    nk_position_print(review->rules, nk_game_position_at(review->game, 0),
                      nk_game_to_move_at(review->game, 0), start);
    printf("%s\n\n", start);
    if (review->count)
        print_moves(review);
    else
        puts("No moves.");
    print_end(review);
    printf("\n        moves    ?   ??  plies wasted\n");
    for (int colour = NK_BLACK; colour <= NK_WHITE; colour++) {
        const struct side_summary *side = &review->sides[colour];
        printf("%s   %5d %4d %4d  %12d\n", nk_colour_name((enum nk_colour)colour), side->moves, side->errors,
               side->blunders, side->plies_wasted);
    }
}

/* ---- JSON ---- */

static void add_moves(struct nk_json *json, const struct review *review)
{
    nk_json_begin(json, "moves", '[');
    for (int ply = 0; ply < review->count; ply++) {
        const struct nk_reviewed *move = &review->moves[ply];
        nk_json_begin(json, NULL, '{');
        nk_json_integer(json, "ply", ply + 1);
        nk_json_string(json, "side", nk_colour_key(move->mover));
        nk_json_move(json, "move", review->rules, move->move);
        nk_json_begin(json, "before", '{');
        json_add_value(json, move->before);
        nk_json_end(json, '}');
        nk_json_begin(json, "after", '{');
        json_add_value(json, move->after);
        nk_json_end(json, '}');
        nk_json_string(json, "mark", move->mark == NK_MARK_NONE ? NULL : mark_text(move->mark));
        if (has_better(move))
            nk_json_move(json, "better", review->rules, move->better);
        else
            nk_json_null(json, "better");
        nk_json_integer(json, "plies_wasted", move->plies_lost);
        nk_json_end(json, '}');
    }
    nk_json_end(json, ']');
}

static void add_side(struct nk_json *json, const char *key, const struct side_summary *side)
{
    nk_json_begin(json, key, '{');
    nk_json_integer(json, "moves", side->moves);
    nk_json_integer(json, "errors", side->errors);
    nk_json_integer(json, "blunders", side->blunders);
    nk_json_integer(json, "plies_wasted", side->plies_wasted);
    nk_json_end(json, '}');
}

static void print_json_review(const struct review *review)
{
    struct nk_json *json = nk_json_begin_line();
    nk_json_position(json, "start", review->rules, nk_game_position_at(review->game, 0),
                     nk_game_to_move_at(review->game, 0));
    add_moves(json, review);
    nk_json_begin(json, "summary", '{');
    add_side(json, "black", &review->sides[NK_BLACK]);
    add_side(json, "white", &review->sides[NK_WHITE]);
    nk_json_end(json, '}');
    nk_json_begin(json, "end", '{');
    json_add_end(json, review->game);
    json_add_value(json, review->value);
    nk_json_end(json, '}');
    nk_json_end_line(json);
}

static const struct nk_program_option options[] = {JSON_OPTION("Print one JSON object"), TABLE_OPTION,
                                                   NK_LAST_OPTION};

static int run(struct nk_table *table, int argc, char **argv)
{
    struct review review = {.rules = nk_table_rules(table)};
    const bool good = read_game(&review, argc ? argv[0] : "-") && evaluate(&review, table);
    if (good && common_options.json)
        print_json_review(&review);
    else if (good)
        print_text_review(&review);
    free(review.moves);
    nk_game_free(review.game);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

const struct command review_command = {
    .line = {"neutreeko review", " [OPTION]... [FILE | -]", about, options, notes, .operands = 1},
    .run = run};
