/* neutreeko query: the results of positions and of their moves. answer_texts answers one position, from the arguments
 * or from a line of standard input: with its moves, or with the best line (--line), a game with variations (--tree) or
 * a picture (--svg). */

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/play/play.h"
#include "common/system/system.h"
#include "common/table/table.h"
#include "json_keys.h"
#include "player/player.h"
#include "player/terminal/terminal.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char about[] =
    "Print the results of positions and of all their moves with optimal play, best\n"
    "moves first. The default POSITION is the start of the game; moves, such as\n"
    "b1-c1, are played from there. POSITION may also be standard, this start;\n"
    "fair:N, the fair start with this number (docs/GAME.md); or a random position:\n"
    "fair, a fair start; drawn, a drawn position; random, any one.\n"
    "With -, read lines of the form '[POSITION] [MOVE]...' from standard input;\n"
    "blank lines and comments, which begin with #, are skipped.\n"
    "\n"
    "With --line, print the best line to the end of the game instead of the moves:\n"
    "the winner wins as fast as possible, the loser delays as long as possible, and\n"
    "a draw is kept until threefold repetition. One of several equally good moves is\n"
    "chosen at random.\n"
    "\n"
    "With --tree, print a game with variations that 'neutreeko review' and the page\n"
    "read: from the position, all best moves of both sides, and each move that turns\n"
    "a win or a draw into less, marked ? or ??, with its value and refutation.\n"
    "\n"
    "Examples:\n"
    "  neutreeko query\n"
    "  neutreeko query '1w1w1/2b2/5/2w2/1b1b1 b'    ranks 5 to 1, side to move\n"
    "  neutreeko query B:.B.B...W.........B...W.W.  side to move, a1 to e5\n"
    "  neutreeko query b1-c1 b5-c5                  the position after two moves\n"
    "  neutreeko query fair:17                      a fair start, by its number\n"
    "  neutreeko query --json - <positions.txt\n"
    "  neutreeko query --line --seed 3 b1-c1        the same best line each time\n"
    "  neutreeko query --tree 6 >opening.txt        the opening, to be studied\n"
    "  neutreeko query --svg -o start.svg           draw the position and its moves\n";

static const char notes[] = "\n"
                            "An invalid line of standard input is reported with its number: on standard\n"
                            "error or, with --json, as an object with the keys line, input and error. The\n"
                            "other lines are answered.\n"
                            "\n" QUERY_JSON_KEYS "\n"
                            "Exit status: 0 for success, 1 for a failure or an invalid line of standard\n"
                            "input, or when that has no position, 2 for incorrect usage or an invalid\n"
                            "position among the arguments.\n";

static struct {
    bool line, svg;
    uint64_t tree; /* plies, or 0 */
} request;

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    NK_FLAG("line", "Print the best line to the end of the game", &request.line),
    {.name = "tree",
     .argument = "PLIES",
     .help =
         "Print the best moves of so many plies|, with the refutations of the others, as a game with variations",
     .excludes = "json line svg",
     .number = &request.tree,
     .least = 1,
     .most = 20},
    SEED_OPTION,
    OUTPUT_OPTIONS,
    JSON_OPTION("Print one JSON object per line"),
    {.name = "svg",
     .help = "Draw a single position as an SVG picture|, with the values of its moves",
     .excludes = "json line",
     .flag = &request.svg},
    OUTPUT_OPTION("Write the answers to FILE| instead of standard output"),
    FORCE_OPTION,
    BOARD_STYLE_OPTION,
    COLOR_OPTION,
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION};

static int check(int argc, char **argv)
{
    if (request.svg && names_input(argc, argv))
        return nk_usage_error("--svg draws a single position, not lines of standard input");
    bool has_choice = request.line || !common_options.has_given_seed || names_input(argc, argv);
    for (int i = 0; i < argc && !has_choice; i++)
        has_choice = position_is_random(argv[i]);
    if (!has_choice)
        return nk_usage_error("--seed requires --line or a random position, such as fair");
    if (argc > 1 && names_input(argc, argv))
        return nk_usage_error("- (standard input) cannot be combined with other arguments");
    return EXIT_SUCCESS;
}

/* What is to be answered, and what has been. */
struct query {
    struct nk_table *table;
    const struct nk_rules *rules;
    struct board_view view;
    bool wraps;       /* standard output is a terminal; asking for each answer takes a tenth of the time */
    bool answered;    /* something has been printed */
    bool chose;       /* moves of a line were chosen at random */
    int rejected;     /* the exit status, after an invalid position or move */
    uint64_t line;    /* of standard input, from 1; 0 for an argument */
    uint32_t answers; /* to lines of standard input */
};

/* ---- the moves of a position ---- */

/* A position, its value, and its moves, best first. */
struct answer {
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_value value;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
};

/* The state of the game, as "Black to move wins in 5 plies.", without a line end. */
enum { STATE_TEXT = 128 }; /* more than a value and the words around it take */
static void format_state(const struct answer *answer, char text[STATE_TEXT])
{
    const char *mover = nk_colour_name(answer->to_move);
    if (answer->count) {
        text = nk_put_text(nk_put_text(text, mover), " to move ");
        text = nk_put_text(text, nk_precise_value_text(answer->value).s);
        text = nk_put_text(text, answer->value.result == NK_DRAW ? " with optimal play" : "");
    } else if (answer->value.result == NK_LOSS) {
        text = nk_put_text(nk_put_text(text, "The game is over: "),
                           nk_colour_name(nk_colour_other(answer->to_move)));
        text = nk_put_text(text, " has won");
    } else {
        text = nk_put_text(nk_put_text(nk_put_text(text, "Draw: "), mover), " has no legal moves");
    }
    (void)nk_put_text(text, ".");
}

static void print_answer(const struct query *query, const struct answer *answer)
{
    char state[STATE_TEXT], bytes[1 + NK_MAX_MOVES * (NK_MOVE_ROOM + sizeof(struct nk_text) + 4)];
    char *out = bytes; /* printing each move on its own takes longer than finding it */
    struct nk_text text;
    if (query->answered)
        putchar('\n');
    fputs(nk_position_text(query->rules, answer->position, answer->to_move).s, stdout);
    fputs("\n\n", stdout);
    display_board(query->rules, answer->position, answer->to_move, query->view);
    format_state(answer, state);
    putchar('\n');
    if (query->wraps)
        terminal_print(stdout, 0, state);
    else
        fputs(state, stdout);
    putchar('\n');
    if (!answer->count)
        return;
    *out++ = '\n';
    for (int m = 0; m < answer->count; m++) {
        const struct nk_value value = answer->moves[m].value;
        /* Many moves have the value of the one before. */
        if (!m || nk_value_better(answer->moves[m - 1].value, value))
            text = display_result_text(value.result, query->view.colour, nk_value_text(value).s);
        out = nk_put_text(nk_put_text(out, "  "), nk_move_text(query->rules, answer->moves[m].move).s);
        out = nk_put_text(nk_put_text(nk_put_text(out, "  "), text.s), "\n");
    }
    fwrite(bytes, 1, (size_t)(out - bytes), stdout);
}

/* Begins an object, for a line of standard input with its number. */
static struct nk_json *begin_json(const struct query *query)
{
    struct nk_json *json = nk_json_begin_line();
    if (query->line)
        nk_json_integer(json, "line", (int64_t)query->line);
    return json;
}

static void print_answer_json(const struct query *query, const struct answer *answer)
{
    struct nk_json *json = begin_json(query);
    nk_json_position(json, "position", query->rules, answer->position, answer->to_move);
    nk_json_string(json, "to_move", nk_colour_key(answer->to_move));
    nk_json_value_members(json, answer->value);
    nk_json_begin(json, "moves", '[');
    for (int m = 0; m < answer->count; m++) {
        nk_json_begin(json, NULL, '{');
        nk_json_move(json, "move", query->rules, answer->moves[m].move);
        nk_json_value_members(json, answer->moves[m].value);
        nk_json_end(json, '}');
    }
    nk_json_end(json, ']');
    nk_json_end_line(json);
}

/* ---- the best line ---- */

/* The best line from a position to the end of the game. */
struct best_line {
    struct nk_game *game;
    struct nk_value *values; /* [plies + 1] of each position, for the side to move */
};

/* Plays the line with the given seed. The caller frees its parts, also after an error. NK_E_READ, NK_E_CORRUPT,
 * NK_E_MEMORY. */
static enum nk_status play_line(struct nk_table *table, const struct position_texts *from,
                                struct best_line *line, struct nk_error *error)
{
    uint64_t random = common_options.seed;
    enum nk_status status =
        nk_game_new(nk_table_rules(table), from->position, from->to_move, &line->game, error);
    if (status || (status = nk_play_best_line(table, line->game, INT_MAX, &random, error)))
        return status;
    const int plies = nk_game_plies(line->game);
    if (!(line->values = calloc((size_t)plies + 1, sizeof *line->values)))
        return nk_fail_memory(error);
    /* The history changes no value: with optimal play, only drawn positions occur twice. */
    for (int ply = 0; ply <= plies && !status; ply++)
        status = nk_table_value(table, nk_game_position_at(line->game, ply), &line->values[ply], error);
    return status;
}

static void print_line(const struct best_line *line, struct board_view view)
{
    const struct nk_rules *rules = nk_game_rules(line->game);
    const enum nk_colour to_move = nk_game_to_move_at(line->game, 0);
    const int plies = nk_game_plies(line->game);
    printf("%s\n\n", nk_position_text(rules, nk_game_position_at(line->game, 0), to_move).s);
    display_game(line->game, 0, view);
    putchar('\n');
    if (plies) {
        terminal_printf(0, "%s to move %s with optimal play.\n\n", nk_colour_name(to_move),
                        nk_precise_value_text(line->values[0]).s);
        for (int ply = 0; ply < plies; ply++) {
            printf("%5d  %s  %s  %s\n", ply + 1, nk_colour_name(nk_game_to_move_at(line->game, ply)),
                   nk_move_text(rules, nk_game_move_at(line->game, ply)).s,
                   display_result_text(line->values[ply].result, view.colour,
                                       nk_precise_value_text(line->values[ply]).s)
                       .s);
        }
        putchar('\n');
        display_game(line->game, plies, view);
        putchar('\n');
    }
    puts(nk_end_text(line->game).s);
}

static void print_line_json(const struct query *query, const struct best_line *line)
{
    struct nk_json *json = begin_json(query);
    const struct nk_rules *rules = nk_game_rules(line->game);
    nk_json_position(json, "position", rules, nk_game_position_at(line->game, 0),
                     nk_game_to_move_at(line->game, 0));
    nk_json_string(json, "to_move", nk_colour_key(nk_game_to_move_at(line->game, 0)));
    nk_json_value_members(json, line->values[0]);
    nk_json_begin(json, "moves", '[');
    for (int ply = 0; ply < nk_game_plies(line->game); ply++) {
        nk_json_begin(json, NULL, '{');
        nk_json_integer(json, "ply", ply + 1);
        nk_json_string(json, "side", nk_colour_key(nk_game_to_move_at(line->game, ply)));
        nk_json_move(json, "move", rules, nk_game_move_at(line->game, ply));
        nk_json_value_members(json, line->values[ply]);
        nk_json_end(json, '}');
    }
    nk_json_end(json, ']');
    nk_json_begin(json, "end", '{');
    nk_json_end_members(json, line->game);
    nk_json_position(json, "position", nk_game_rules(line->game), nk_game_position(line->game),
                     nk_game_to_move(line->game));
    nk_json_end(json, '}');
    json_add_seed(json);
    nk_json_end_line(json);
}

static enum nk_status answer_with_line(struct query *query, const struct position_texts *from,
                                       struct nk_error *error)
{
    struct best_line line = {NULL, NULL};
    const enum nk_status status = play_line(query->table, from, &line, error);
    if (!status && common_options.json) {
        print_line_json(query, &line);
    } else if (!status) {
        if (query->answered)
            putchar('\n');
        print_line(&line, query->view);
        query->chose |= nk_game_plies(line.game) > 0;
    }
    query->answered = true;
    free(line.values);
    nk_game_free(line.game);
    return status;
}

/* ---- the tree ---- */

enum { MOST_NODES = 1 << 17 };

/* The tree that is being built. */
struct answer_tree {
    struct nk_table *table;
    struct nk_tree *tree;
    struct nk_error *error;
    uint64_t random;
};

static enum nk_status check_size(const struct answer_tree *build)
{
    return nk_tree_count(build->tree) <= MOST_NODES
               ? NK_OK
               : nk_fail(build->error, NK_E_LIMIT, 0,
                         "the tree has more than %d moves: expected a smaller --tree", (int)MOST_NODES);
}

static enum nk_status add(const struct answer_tree *build, int parent, struct nk_move move, int *number)
{
    const enum nk_status status = nk_tree_add(build->tree, parent, move, number, build->error);
    return status ? status : check_size(build);
}

/* Adds a move that lowers the result, with its refutation up to so many plies, one at least. */
static enum nk_status add_mistake(struct answer_tree *build, int parent, const struct nk_choice *choice,
                                  enum nk_mark mark, int plies)
{
    const struct nk_text value = nk_value_text(choice->value);
    int number;
    enum nk_status status;
    if ((status = add(build, parent, choice->move, &number)) ||
        (status = nk_tree_mark(build->tree, number, nk_mark_text(mark), build->error)) ||
        (status = nk_tree_comment(build->tree, number, value.s, build->error)) ||
        (status = nk_tree_add_best_line(build->table, build->tree, number, plies ? plies : 1, &build->random,
                                        build->error)))
        return status;
    return check_size(build);
}

/* Adds the best moves after a node and those that lower the result, and the same after each best move. */
static enum nk_status add_moves(struct answer_tree *build, int number, int plies)
{
    struct nk_choice choices[NK_MAX_MOVES];
    const struct nk_game *game;
    int count, next;
    enum nk_status status;
    if (!plies)
        return NK_OK;
    if ((status = nk_tree_at(build->tree, number, &game, build->error)) ||
        (status = nk_choices(build->table, game, choices, &count, build->error)))
        return status;
    for (int c = 0; c < count && !status; c++) {
        const struct nk_value best = choices[0].value, value = choices[c].value;
        const enum nk_mark mark = nk_mark_of(best.result, value.result);
        if (mark != NK_MARK_NONE)
            status = add_mistake(build, number, &choices[c], mark, plies - 1);
        else if (!nk_value_better(best, value) && !(status = add(build, number, choices[c].move, &next)))
            status = add_moves(build, next, plies - 1);
    }
    return status;
}

/* Prints a game with variations: the best moves of each position up to so many plies, and each move that lowers the
 * result, with the best line after it. NK_E_LIMIT for a tree that is too large, NK_E_READ, NK_E_CORRUPT or
 * NK_E_MEMORY. */
static enum nk_status print_tree(const struct query *query, const struct answer *answer,
                                 struct nk_error *error)
{
    struct answer_tree build = {.table = query->table, .error = error};
    char state[STATE_TEXT], *record = NULL;
    enum nk_status status = nk_tree_new(query->rules, answer->position, answer->to_move, &build.tree, error);
    if (status)
        return status;
    format_state(answer, state);
    if (!(status = nk_tree_comment(build.tree, 0, state, error)) &&
        !(status = add_moves(&build, 0, (int)request.tree)) &&
        !(record = nk_record_tree_text(build.tree, NULL)))
        status = nk_fail_memory(error);
    if (record)
        printf("%s%s", query->answered ? "\n" : "", record);
    free(record);
    nk_tree_free(build.tree);
    return status;
}

/* ---- the picture ---- */

/* All lengths are in pixels. A move ends in the middle of an empty square, and its label is on the side that it comes
 * from. Moves to the same square come from different directions, so labels cover neither pieces nor one another. */
enum { SIDE = 100, RADIUS = 33, OFFSET = 33, MARGIN = 40, CAPTION = 90 };

/* Attributes for each result. The colours repeat what the labels and the dashes show. */
static const char *const lines[] = {
    [NK_WIN - NK_LOSS] = "stroke=\"#15702f\"",
    [NK_DRAW - NK_LOSS] = "stroke=\"#6b6b6b\" stroke-dasharray=\"9 4\"",
    [0] = "stroke=\"#b3261e\" stroke-dasharray=\"2 4\"",
};
#define MIDDLE "text-anchor=\"middle\""

/* The middle of a square. */
static int across(const struct nk_rules *rules, int square)
{
    return MARGIN + square % rules->board.width * SIDE + SIDE / 2;
}

static int down(const struct nk_rules *rules, int square)
{
    return MARGIN + (rules->board.height - 1 - square / rules->board.width) * SIDE + SIDE / 2;
}

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

static void draw_board(const struct nk_rules *rules, const struct answer *answer)
{
    const uint64_t black = nk_pieces_of(answer->position, answer->to_move, NK_BLACK);
    const uint64_t white = nk_pieces_of(answer->position, answer->to_move, NK_WHITE);
    for (int s = 0; s < rules->squares; s++) {
        const int x = across(rules, s), y = down(rules, s);
        printf("<rect class=\"square\" fill=\"#fbfaf6\" stroke=\"#b9b4a6\" x=\"%d\" y=\"%d\" "
               "width=\"%d\" height=\"%d\"/>\n",
               x - SIDE / 2, y - SIDE / 2, SIDE, SIDE);
        if ((black | white) & nk_bit(s))
            printf(
                "<circle class=\"%s\" fill=\"%s\" stroke=\"#222\" stroke-width=\"4\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n",
                black & nk_bit(s) ? "black" : "white", black & nk_bit(s) ? "#222" : "#fff", x, y, RADIUS);
    }
    for (int x = 0; x < rules->board.width; x++)
        printf("<text " MIDDLE " x=\"%d\" y=\"%d\">%c</text>\n", across(rules, x),
               MARGIN + rules->board.height * SIDE + 20, 'a' + x);
    for (int y = 0; y < rules->board.height; y++)
        printf("<text " MIDDLE " x=\"%d\" y=\"%d\">%d</text>\n", MARGIN / 2,
               down(rules, y * rules->board.width) + 5, y + 1);
}

/* A line from the piece to the square, with a label. */
static void draw_move(const struct nk_rules *rules, const struct nk_move_value *move, bool best)
{
    char label[8] = "D";
    const int x = across(rules, move->move.from), y = down(rules, move->move.from);
    const int to_x = across(rules, move->move.to), to_y = down(rules, move->move.to);
    const int dx = sign(to_x - x), dy = sign(to_y - y);
    const int start = dx && dy ? RADIUS * 7 / 10 : RADIUS; /* the edge of the piece */
    const int label_x = to_x - dx * OFFSET, label_y = to_y - dy * OFFSET;
    if (move->value.result != NK_DRAW)
        snprintf(label, sizeof label, "%c%d", move->value.result == NK_WIN ? 'W' : 'L',
                 nk_moves_in(move->value.plies));
    const int width = 8 + 7 * (int)strlen(label);
    printf("<g class=\"move %s%s\"><title>%s %s</title>\n", nk_result_name(move->value.result),
           best ? " best" : "", nk_move_text(rules, move->move).s, nk_value_text(move->value).s);
    printf("<line %s stroke-width=\"%d\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>",
           lines[move->value.result - NK_LOSS], best ? 5 : 2, x + dx * start, y + dy * start, to_x, to_y);
    printf("<circle cx=\"%d\" cy=\"%d\" r=\"6\"/>\n", to_x, to_y);
    printf("<rect fill=\"#fff\" %s x=\"%d\" y=\"%d\" width=\"%d\" height=\"18\" rx=\"4\"/>",
           lines[move->value.result - NK_LOSS], label_x - width / 2, label_y - 9, width);
    printf("<text font-size=\"12\" " MIDDLE "%s x=\"%d\" y=\"%d\">%s</text></g>\n",
           best ? " font-weight=\"bold\"" : "", label_x, label_y + 4, label);
}

/* No text comes from outside: a position and moves in the notation of this program need no escapes in XML. */
static void print_picture(const struct nk_rules *rules, const struct answer *answer)
{
    char text[STATE_TEXT];
    const int board = MARGIN + rules->board.height * SIDE, width = 2 * MARGIN + rules->board.width * SIDE;
    const struct nk_text position = nk_position_text(rules, answer->position, answer->to_move);
    format_state(answer, text);
    printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
           "role=\"img\" font-family=\"sans-serif\" font-size=\"14\" fill=\"#222\">\n<title>%s</title>\n"
           "<desc>%s</desc>\n",
           width, board + CAPTION, width, board + CAPTION, position.s, text);
    printf("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    draw_board(rules, answer);
    /* The best moves last, so that they are on top. */
    for (int m = answer->count - 1; m >= 0; m--)
        draw_move(rules, &answer->moves[m], !nk_value_better(answer->moves[0].value, answer->moves[m].value));
    printf("<text x=\"%d\" y=\"%d\">%s</text>\n", MARGIN, board + 45, text);
    printf("<text font-family=\"monospace\" font-size=\"13\" x=\"%d\" y=\"%d\">%s</text>\n", MARGIN,
           board + 65, position.s);
    printf("<text x=\"%d\" y=\"%d\">W: wins, D: draws, L: loses, in moves</text>\n", MARGIN, board + 83);
    printf("</svg>\n");
}

/* ---- answers ---- */

/* An object for an invalid line of standard input. */
static void print_rejected_json(const struct query *query, const char *text, const struct nk_error *error)
{
    char why[sizeof error->text + 32];
    if (error->at)
        snprintf(why, sizeof why, "character %zu: %s", error->at, error->text);
    else
        snprintf(why, sizeof why, "%s", error->text);
    struct nk_json *json = nk_json_begin_line();
    nk_json_integer(json, "line", (int64_t)query->line);
    nk_json_string(json, "input", text);
    nk_json_string(json, "error", why);
    nk_json_end_line(json);
}

/* Reports an invalid position, or an illegal move. The other positions are answered all the same. */
static void reject(struct query *query, const char *text, const struct nk_error *error)
{
    char why[POSITION_ERROR];
    if (!query->line && position_is_missing(text, error)) {
        nk_report("%s", error->text);
        query->rejected = EXIT_FAILURE;
        return;
    }
    if (!query->line) {
        /* It may be meant as the name of a file: nothing of it is a position, or there is such a file. */
        const bool is_other =
            (error->status == NK_E_SYNTAX && error->at == 1) || nk_system_access(text, F_OK);
        query->rejected =
            nk_usage_error("%s%s", position_error(query->rules, text, error, why),
                           is_other ? "; positions in a file are read with: neutreeko query - <FILE" : "");
        return;
    }
    query->rejected = EXIT_FAILURE;
    if (common_options.json) {
        print_rejected_json(query, text, error);
        return;
    }
    nk_report("line %" PRIu64 ": %s", query->line, position_error(query->rules, text, error, why));
}

/* Answers the position at the beginning of the texts, of which those after it are left. */
static enum nk_status answer_texts(struct query *query, struct position_texts *texts, struct nk_error *error)
{
    /* Loading the whole table into memory saves as much time as it takes when a line has been answered for so many
     * entries. As many lines promise a long input. Without enough memory, answers only take longer. */
    enum { ENTRIES_OF_LINE = 100 };
    struct answer answer;
    enum nk_status status = position_read(query->table, texts, error);
    if (status && texts->wrong) {
        reject(query, texts->wrong, error);
        return NK_OK;
    }
    if (status)
        return status;
    if (request.svg && texts->count) {
        query->rejected = nk_usage_error("--svg draws a single position; unexpected argument '%s'",
                                         nk_quote(*texts->texts).s);
        texts->count = 0;
        return NK_OK;
    }
    if (query->line && ++query->answers == query->table->index->entries / ENTRIES_OF_LINE &&
        !nk_table_is_large(query->table))
        (void)nk_table_load(query->table, NULL);
    if (request.line)
        return answer_with_line(query, texts, error);
    answer.position = texts->position;
    answer.to_move = texts->to_move;
    if ((status = nk_table_moves(query->table, answer.position, answer.moves, &answer.count, error)))
        return status;
    const bool lost = nk_rules_won(query->rules, answer.position.other);
    answer.value = answer.count ? answer.moves[0].value : (struct nk_value){lost ? NK_LOSS : NK_DRAW, 0};
    if (request.svg)
        print_picture(query->rules, &answer);
    else if (request.tree)
        status = print_tree(query, &answer, error);
    else if (common_options.json)
        print_answer_json(query, &answer);
    else
        print_answer(query, &answer);
    query->answered = true;
    return status;
}

/* All answers so far are flushed before waiting for input, so that a program at both ends of the pipe can wait for
 * them. */
static enum nk_status answer_input(struct query *query, struct nk_error *error)
{
    static struct line_input input = {.file = STDIN_FILENO};
    enum nk_status status = NK_OK;
    while (!status && (line_is_ready(&input) || nk_flush_output()) && !ferror(stdout) && line_read(&input)) {
        struct nk_error why;
        const char *line = input.text;
        const size_t length = input.length, text = strlen(line);
        query->line++;
        if (length > LINE_BYTES) {
            (void)nk_fail(&why, NK_E_SYNTAX, 0, "line too long: expected at most %d KiB", LINE_BYTES >> 10);
            reject(query, line, &why);
        } else if (text < length) {
            (void)nk_fail(&why, NK_E_SYNTAX, nk_characters(line, text) + 1,
                          nk_is_utf16(input.text, input.length) ? NK_UTF16_ERROR : "unexpected byte 0");
            reject(query, line, &why);
        } else if (!position_is_blank(line)) {
            status = answer_texts(query, &(struct position_texts){.texts = &line, .count = 1}, error);
        }
    }
    if (!status && input.failed)
        return nk_fail(error, NK_E_READ, 0, "cannot read standard input: %s",
                       nk_system_error(input.failed).s);
    return status;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    static char buffer[1 << 16]; /* many answers at a time */
    struct query query = {.table = table,
                          .rules = nk_table_rules(table),
                          .view = output_view(),
                          .wraps = nk_system_is_terminal(stdout)};
    struct position_texts texts = {.texts = (const char *const *)argv, .count = argc};
    const bool reads_lines = argc && nk_file_is_standard(*argv);
    struct nk_error error;
    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    enum nk_status status = NK_OK;
    if (!begin_output())
        return EXIT_FAILURE;
    if (reads_lines)
        status = answer_input(&query, &error);
    else
        do
            status = answer_texts(&query, &texts, &error);
        while (!status && !ferror(stdout) && texts.count);
    if (status) {
        report_error(&error);
        (void)end_output(false);
        return EXIT_FAILURE;
    }
    if (!query.answered && !query.rejected) {
        nk_report("there is no position in standard input");
        (void)end_output(false);
        return EXIT_FAILURE;
    }
    if (query.chose)
        print_seed();
    return end_output(query.answered || reads_lines) ? query.rejected : EXIT_FAILURE;
}

const struct command query_command = {.line = {"neutreeko query",
                                               " [OPTION]... [[POSITION] [MOVE]...]... | -", about, options,
                                               notes, .operands = NK_ANY_OPERANDS},
                                      .check = check,
                                      .reads_input = IF_NAMED,
                                      .run = run};
