/* neutreeko query: the results of positions and of their moves. */

#include "common/base/strbuf.h"
#include "common/game/notation.h"
#include "common/system/file.h"
#include "json_keys.h"
#include "player/commands/common.h"
#include "player/commands/positions.h"
#include "player/commands/query.h"
#include "player/terminal/display.h"
#include "player/terminal/line_input.h"
#include "player/terminal/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char about[] =
    "Print the results of positions and of all their moves with optimal play, best\n"
    "moves first. The default POSITION is the start of the game; moves, such as\n"
    "b1-c1, are played from there. POSITION may also be standard, this start;\n"
    "fair:N, the fair start with this number (docs/GAME.md); or fair, a random one.\n"
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
    "  neutreeko query --svg start.svg              draw the position and its moves\n"
    "  neutreeko query --svg - b1-c1 >picture.svg\n";

static const char notes[] = "\n"
                            "An invalid line of standard input is reported with its number: on standard\n"
                            "error or, with --json, as an object with the keys line, input and error. The\n"
                            "other lines are answered.\n"
                            "\n" QUERY_JSON_KEYS "\n"
                            "Exit status: 0 for success, 1 for a failure or an invalid line of standard\n"
                            "input, 2 for incorrect usage or an invalid position among the arguments.\n";

static const char *picture; /* the file of --svg, or NULL */
static bool force, wants_line, wants_record;
static uint64_t tree_plies; /* of --tree, or 0 */

struct query {
    struct nk_table *table;
    const struct nk_rules *rules;
    struct nk_board_view view;
    struct nk_writer *picture; /* of --svg, until it is drawn; else NULL */
    bool answered;             /* something has been printed */
    bool chose;                /* moves of a line were chosen at random */
    int rejected;              /* the exit status, after an invalid position or move */
    uint64_t line;             /* of standard input, from 1; 0 for an argument */
    uint32_t answers;          /* to lines of standard input */
};

void answer_format(const struct answer *answer, char text[ANSWER_TEXT])
{
    const char *mover = nk_colour_name(answer->to_move);
    if (answer->count)
        snprintf(text, ANSWER_TEXT, "%s to move %s%s.", mover, nk_precise_value_text(answer->value).s,
                 answer->value.result == NK_DRAW ? " with optimal play" : "");
    else if (answer->value.result == NK_LOSS)
        snprintf(text, ANSWER_TEXT, "The game is over: %s has won.",
                 nk_colour_name(nk_colour_other(answer->to_move)));
    else
        snprintf(text, ANSWER_TEXT, "Draw: %s has no legal moves.", mover);
}

static void print_moves(const struct query *query, const struct answer *answer)
{
    char bytes[NK_MAX_MOVES * (NK_MOVE_ROOM + sizeof(struct nk_text) + 4)];
    char *out = bytes;
    for (int m = 0; m < answer->count; m++) {
        const struct nk_value value = answer->moves[m].value;
        out = nk_put_text(nk_put_text(out, "  "), nk_move_text(query->rules, answer->moves[m].move).s);
        out = nk_put_text(nk_put_text(out, "  "),
                          nk_paint(value.result, query->view.colour, nk_value_text(value).s).s);
        out = nk_put_text(out, "\n");
    }
    fwrite(bytes, 1, (size_t)(out - bytes), stdout);
}

static void print_answer(const struct query *query, const struct answer *answer)
{
    char state[ANSWER_TEXT];
    if (query->answered)
        putchar('\n');
    fputs(nk_position_text(query->rules, answer->position, answer->to_move).s, stdout);
    fputs("\n\n", stdout);
    nk_show_board(query->rules, answer->position, answer->to_move, query->view);
    answer_format(answer, state);
    terminal_printf(0, "\n%s\n", state);
    if (answer->count) {
        putchar('\n');
        print_moves(query, answer);
    }
}

static void print_answer_json(const struct query *query, const struct answer *answer)
{
    struct nk_json *json = nk_json_begin_line();
    if (query->line)
        nk_json_integer(json, "line", (int64_t)query->line);
    nk_json_position(json, "position", query->rules, answer->position, answer->to_move);
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
    if (!query->line) {
        /* It may be meant as the name of a file: nothing of it is a position, or there is such a file. */
        const bool is_other = (error->status == NK_E_SYNTAX && error->at == 1) || access(text, F_OK) == 0;
        fflush(stdout);
        query->rejected =
            nk_usage_error(command_name, "%s%s", position_error(query->rules, text, error, why),
                           is_other ? "; positions in a file are read with: neutreeko query - <FILE" : "");
        return;
    }
    query->rejected = EXIT_FAILURE;
    if (common_options.json) {
        print_rejected_json(query, text, error);
        return;
    }
    fflush(stdout);
    nk_report(command_name, "line %" PRIu64 ": %s", query->line,
              position_error(query->rules, text, error, why));
}

/* Sets the value and the moves of a position. */
static enum nk_status find_answer(struct nk_table *table, struct answer *answer, struct nk_error *error)
{
    const enum nk_status status =
        nk_table_moves(table, answer->position, answer->moves, &answer->count, error);
    const bool lost = nk_rules_won(nk_table_rules(table), answer->position.other);
    if (!status)
        answer->value =
            answer->count ? answer->moves[0].value : (struct nk_value){lost ? NK_LOSS : NK_DRAW, 0};
    return status;
}

static enum nk_status print_line(struct query *query, const struct best_line *line, struct nk_error *error)
{
    if (common_options.json) {
        struct nk_json *json = nk_json_begin_line();
        if (query->line)
            nk_json_integer(json, "line", (int64_t)query->line);
        query_line_print_json(line, json);
        nk_json_end_line(json);
        return NK_OK;
    }
    if (query->answered)
        putchar('\n');
    if (!wants_record) {
        query_line_print(line, query->view);
        query->chose |= nk_game_plies(line->game) > 0;
        return NK_OK;
    }
    char *text = nk_record_text(line->game, NULL);
    if (!text)
        return nk_fail_memory(error);
    fputs(text, stdout);
    free(text);
    return NK_OK;
}

static enum nk_status answer_line(struct query *query, struct nk_position position, enum nk_colour to_move,
                                  struct nk_error *error)
{
    struct best_line line = {NULL, NULL};
    enum nk_status status =
        query_line_play(query->table, position, to_move, common_options.seed, &line, error);
    if (!status)
        status = print_line(query, &line, error);
    query_line_free(&line);
    query->answered = true;
    return status;
}

static enum nk_status print_tree(struct query *query, const struct answer *answer, struct nk_error *error)
{
    char *text;
    const enum nk_status status = query_tree_record(query->table, answer, tree_plies, &text, error);
    if (status)
        return status;
    printf("%s%s", query->answered ? "\n" : "", text);
    query->answered = true;
    free(text);
    return NK_OK;
}

static enum nk_status answer_position(struct query *query, struct nk_position position,
                                      enum nk_colour to_move, struct nk_error *error)
{
    struct answer answer = {.position = position, .to_move = to_move};
    const enum nk_status status = find_answer(query->table, &answer, error);
    if (status)
        return status;
    if (query->picture) {
        struct nk_writer *file = query->picture;
        query->picture = NULL;
        return query_svg_write(file, query->rules, &answer, error);
    }
    if (tree_plies)
        return print_tree(query, &answer, error);
    if (common_options.json)
        print_answer_json(query, &answer);
    else
        print_answer(query, &answer);
    query->answered = true;
    return NK_OK;
}

/* Loads the whole table into memory when so many lines have been answered that the rest of a long input repays it.
 * Without enough memory, answers only take longer. */
static void load_for_many_lines(struct query *query)
{
    enum { LINES = 5000, MAX_ENTRIES = 1 << 26 };
    if (++query->answers == LINES && nk_table_index(query->table)->entries <= MAX_ENTRIES)
        (void)nk_table_load(query->table, NULL);
}

/* Answers the position at the beginning of the arguments, of which those after it are left. */
static enum nk_status answer_words(struct query *query, struct position_words *words, struct nk_error *error)
{
    const enum nk_status status = position_read(query->table, words, error);
    if (status && words->wrong) {
        reject(query, words->wrong, error);
        return NK_OK;
    }
    if (status)
        return status;
    if (picture && words->count) {
        query->rejected =
            nk_usage_error(command_name, "--svg draws a single position; unexpected argument '%s'",
                           nk_quote(*words->words).s);
        words->count = 0;
        return NK_OK;
    }
    if (query->line)
        load_for_many_lines(query);
    return wants_line ? answer_line(query, words->position, words->to_move, error)
                      : answer_position(query, words->position, words->to_move, error);
}

/* All answers so far are flushed before waiting for input, so that a program at both ends of the pipe can wait for
 * them. */
static enum nk_status answer_input(struct query *query, struct nk_error *error)
{
    static struct nk_line_input input = {.file = STDIN_FILENO};
    enum nk_status status = NK_OK;
    while (!status && (nk_line_is_ready(&input) || nk_flush_output(command_name)) && !ferror(stdout) &&
           nk_line_read(&input)) {
        struct nk_error why;
        const char *line = input.text;
        const size_t length = input.length, text = strlen(line);
        query->line++;
        if (length > NK_LINE_BYTES) {
            (void)nk_fail(&why, NK_E_SYNTAX, 0, "line too long: expected at most %d KiB",
                          NK_LINE_BYTES >> 10);
            reject(query, line, &why);
        } else if (text < length) {
            (void)nk_fail(&why, NK_E_SYNTAX, text + 1, "unexpected byte 0");
            reject(query, line, &why);
        } else if (!position_is_blank(line)) {
            status = answer_words(query, &(struct position_words){.words = &line, .count = 1}, error);
        }
    }
    if (!status && input.failed)
        return nk_fail(error, NK_E_READ, 0, "cannot read standard input: %s", strerror(input.failed));
    return status;
}

static enum nk_status answer_all(struct query *query, struct position_words *words, struct nk_error *error)
{
    enum nk_status status;
    if (words->count && nk_file_is_standard(*words->words))
        return answer_input(query, error);
    do
        status = answer_words(query, words, error);
    while (!status && !ferror(stdout) && words->count);
    return status;
}

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    NK_FLAG("line", "Print the best line to the end of the game", &wants_line),
    {.name = "tree",
     .argument = "PLIES",
     .help =
         "Print the best moves of so many plies, with the refutations of the others, as a game with variations",
     .excludes = "json line svg",
     .number = &tree_plies,
     .least = 1,
     .most = 20},
    SEED_OPTION,
    OUTPUT_OPTIONS,
    JSON_OPTION("Print one JSON object per line"),
    {.name = "record",
     .help = "Print the line of --line as a game that 'neutreeko review' reads",
     .excludes = "json",
     .flag = &wants_record},
    {.name = "svg",
     .argument = "FILE",
     .help = "Draw a single position with the values of its moves, as an SVG picture in FILE or, "
             "with -, on standard output",
     .excludes = "json line",
     .text = &picture},
    NK_FLAG("force", "Replace FILE if it exists", &force),
    BOARD_STYLE_OPTION,
    COLOR_OPTION,
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION};

static int check(int argc, char **argv)
{
    if (wants_record && !wants_line)
        return nk_usage_error(command_name, "--record requires --line");
    if (force && !picture)
        return nk_usage_error(command_name, "--force requires --svg");
    if (picture && names_input(argc, argv))
        return nk_usage_error(command_name, "--svg draws a single position, not lines of standard input");
    bool has_choice = wants_line || common_options.has_random_seed || names_input(argc, argv);
    for (int i = 0; i < argc && !has_choice; i++)
        has_choice = position_is_fair(argv[i]);
    if (!has_choice)
        return nk_usage_error(command_name, "--seed requires --line or the position fair");
    if (argc > 1 && names_input(argc, argv))
        return nk_usage_error(command_name, "- (standard input) cannot be combined with other arguments");
    return EXIT_SUCCESS;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    static char buffer[1 << 16]; /* many answers at a time */
    struct query query = {.table = table, .rules = nk_table_rules(table), .view = board_view()};
    struct position_words words = {.words = (const char *const *)argv, .count = argc};
    struct nk_error error;
    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    enum nk_status status = picture ? nk_writer_open(picture, force, &query.picture, &error) : NK_OK;
    if (!status)
        status = answer_all(&query, &words, &error);
    nk_writer_abandon(query.picture);
    if (status) {
        report_error(&error);
        return EXIT_FAILURE;
    }
    if (query.chose)
        print_seed();
    return query.rejected;
}

static bool reads_input(int argc, char **argv)
{
    return names_input(argc, argv);
}

const struct command query_command = {.line = {"neutreeko query",
                                               " [OPTION]... [[POSITION] [MOVE]...]... | -", about, options,
                                               notes, .operands = NK_ANY_OPERANDS},
                                      .check = check,
                                      .reads_input = reads_input,
                                      .run = run};
