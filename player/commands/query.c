/* neutreeko query: the results of positions and of their moves. */

#include "json_keys.h"
#include "common/base/strbuf.h"
#include "common/game/notation.h"
#include "player/commands/common.h"
#include "player/commands/query_svg.h"
#include "player/terminal/display.h"
#include "player/terminal/line_input.h"
#include "player/commands/positions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char about[] = "Print the results of positions and of all their moves with optimal play, best\n"
                            "moves first. The default POSITION is the start of the game; moves, such as\n"
                            "b1-c1, are played from there. POSITION may also be fair:N, the fair start with\n"
                            "this number (docs/GAME.md), or fair, a random one. With -, read lines of the\n"
                            "form '[POSITION] [MOVE]...' from standard input; blank lines and comments,\n"
                            "which begin with #, are skipped.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko query\n"
                            "  neutreeko query '1w1w1/2b2/5/2w2/1b1b1 b'    ranks 5 to 1, side to move\n"
                            "  neutreeko query B:.B.B...W.........B...W.W.  side to move, a1 to e5\n"
                            "  neutreeko query b1-c1 b5-c5                  the position after two moves\n"
                            "  neutreeko query fair:17                      a fair start, by its number\n"
                            "  neutreeko query --json - <positions.txt\n"
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
static bool force;

struct query {
    struct nk_table *table;
    const struct nk_rules *rules;
    struct nk_board_view view;
    struct nk_writer *picture; /* of --svg, until it is drawn; else NULL */
    bool answered;             /* something has been printed */
    int rejected;              /* the exit status, after an invalid position or move */
    uint64_t line;             /* of standard input, from 1; 0 for an argument */
    uint32_t answers;          /* to lines of standard input */
};

static void print_moves(const struct query *query, const struct answer *answer)
{
    char bytes[NK_MAX_MOVES * (NK_MOVE_ROOM + NK_PAINTED_TEXT + 4)], painted[NK_PAINTED_TEXT];
    struct nk_strbuf text = {bytes, sizeof bytes, 0};
    for (int m = 0; m < answer->count; m++) {
        nk_strbuf_add(&text, "  %s  %s\n", nk_move_text(query->rules, answer->moves[m].move).s,
                      nk_paint(answer->moves[m].value.result, query->view.colour,
                               nk_value_text(answer->moves[m].value).s, painted));
    }
    fputs(bytes, stdout);
}

static void print_answer(const struct query *query, const struct answer *answer)
{
    char state[ANSWER_TEXT];
    if (query->answered)
        putchar('\n');
    printf("%s\n\n", nk_position_text(query->rules, answer->position, answer->to_move).s);
    nk_show_board(query->rules, answer->position, answer->to_move, query->view);
    answer_format(answer, state);
    printf("\n%s\n", state);
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
    json_add_value(json, answer->value);
    nk_json_begin(json, "moves", '[');
    for (int m = 0; m < answer->count; m++) {
        nk_json_begin(json, NULL, '{');
        nk_json_move(json, "move", query->rules, answer->moves[m].move);
        json_add_value(json, answer->moves[m].value);
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
    char why[POSITION_ERROR], line[40] = "";
    query->rejected = query->line ? EXIT_FAILURE : EXIT_USAGE;
    if (common_options.json && query->line) {
        print_rejected_json(query, text, error);
        return;
    }
    if (query->line)
        snprintf(line, sizeof line, "line %" PRIu64 ": ", query->line);
    fflush(stdout);
    nk_report(program, "%s%s", line, format_position_error(query->rules, text, error, why));
}

/* The same, but an error of the table is passed on. */
static enum nk_status reject_or_fail(struct query *query, const char *text, const struct nk_error *why,
                                     struct nk_error *error)
{
    if (!is_position_error(why))
        return nk_fail(error, why->status, 0, "%s", why->text);
    reject(query, text, why);
    return NK_OK;
}

static enum nk_status answer_position(struct query *query, struct nk_position position,
                                      enum nk_colour to_move, struct nk_error *error)
{
    struct answer answer = {.position = position, .to_move = to_move};
    const enum nk_status status = answer_find(query->table, &answer, error);
    if (status)
        return status;
    if (query->picture) {
        struct nk_writer *file = query->picture;
        query->picture = NULL;
        return query_svg_write(file, query->rules, &answer, error);
    }
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

/* Answers a line, which is not blank. */
static enum nk_status answer_line(struct query *query, const char *text, struct nk_error *error)
{
    struct nk_position position = {0, 0};
    enum nk_colour to_move = NK_BLACK;
    struct nk_error why;
    enum nk_status status;
    if (nk_position_text_begins_with_move(query->rules, text) &&
        (status = start_position(query->table, &position, &to_move, error)))
        return status;
    if (read_position_text(query->table, text, &position, &to_move, &why))
        return reject_or_fail(query, text, &why, error);
    load_for_many_lines(query);
    return answer_position(query, position, to_move, error);
}

/* All answers so far are flushed before waiting for input, so that a program at both ends of the pipe can wait for
 * them. */
static enum nk_status answer_input(struct query *query, struct nk_error *error)
{
    static struct nk_line_input input = {.file = STDIN_FILENO};
    enum nk_status status = NK_OK;
    while (!status && (nk_line_is_ready(&input) || nk_flush_output(program)) && !ferror(stdout) &&
           nk_line_read(&input)) {
        struct nk_error why;
        const char *line = input.text;
        const size_t length = input.length, text = strlen(line);
        query->line++;
        if (length > NK_LINE_BYTES) {
            (void)nk_fail(&why, NK_E_SYNTAX, 0, "line too long: expected at most %d bytes",
                          (int)NK_LINE_BYTES);
            reject(query, line, &why);
        } else if (text < length) {
            (void)nk_fail(&why, NK_E_SYNTAX, text + 1, "unexpected byte 0");
            reject(query, line, &why);
        } else if (!nk_position_text_is_blank(line)) {
            status = answer_line(query, line, error);
        }
    }
    query->line = 0;
    if (!status && input.failed)
        return nk_fail(error, NK_E_READ, 0, "cannot read standard input: %s", strerror(input.failed));
    return status;
}

/* Answers the position at the beginning of words[]: a position, or the start, and the moves that follow. *used is the
 * number of words. */
static enum nk_status answer_words(struct query *query, char *words[], int count, int *used,
                                   struct nk_error *error)
{
    struct nk_position position = {0, 0};
    enum nk_colour to_move = NK_BLACK;
    struct nk_error why;
    const char *wrong = NULL;
    enum nk_status status;
    int n = 0;
    if ((!count || nk_position_text_begins_with_move(query->rules, words[0])) &&
        (status = start_position(query->table, &position, &to_move, error)))
        return status;
    for (; n < count && (!n || nk_position_text_begins_with_move(query->rules, words[n])); n++)
        if (!wrong && read_position_text(query->table, words[n], &position, &to_move, &why))
            wrong = words[n];
    *used = n;
    if (wrong)
        return reject_or_fail(query, wrong, &why, error);
    return answer_position(query, position, to_move, error);
}

static enum nk_status answer_all(struct query *query, char *words[], int count, struct nk_error *error)
{
    int i = 0, used;
    enum nk_status status;
    do {
        used = 1;
        status = i < count && strcmp(words[i], "-") == 0
                     ? answer_input(query, error)
                     : answer_words(query, words + i, count - i, &used, error);
    } while (!status && !ferror(stdout) && (i += used) < count);
    return status;
}

static const struct nk_program_option options[] = {
    OUTPUT_OPTIONS,
    JSON_OPTION("Print one JSON object per line"),
    {.name = "svg",
     .argument = "FILE",
     .help = "Draw a single position with the values of its moves, as an SVG picture in FILE or, "
             "with -, on standard output",
     .excludes = "json",
     .text = &picture},
    NK_FLAG("force", "Replace FILE even if it is not such a picture", &force),
    BOARD_STYLE_OPTION,
    COLOR_OPTION,
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION};

static int check(int argc, char **argv)
{
    if (force && !picture)
        return nk_usage_error(program, "--force requires --svg");
    for (int i = 0; picture && i < argc; i++)
        if (strcmp(argv[i], "-") == 0)
            return nk_usage_error(program, "--svg draws a single position, not lines of standard input");
    return EXIT_SUCCESS;
}

/* Opens the file of --svg. Returns the exit status. */
static int open_picture(struct query *query, int argc, char **argv)
{
    const struct nk_permission pictures = {
        .force = force, .is_own = query_svg_is_picture, .kind = "a picture of neutreeko" NK_OR_FORCE};
    struct nk_error error;
    char quoted[NK_QUOTED_TEXT];
    for (int i = 1; i < argc; i++)
        if (!nk_position_text_begins_with_move(query->rules, argv[i]))
            return nk_usage_error(program, "--svg draws a single position; unexpected argument '%s'",
                                  nk_quote(argv[i], quoted));
    if (!nk_writer_open(picture, &pictures, &query->picture, &error))
        return EXIT_SUCCESS;
    report_error(&error);
    return EXIT_FAILURE;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    static char buffer[1 << 16]; /* many answers at a time */
    struct query query = {.table = table, .rules = nk_table_rules(table), .view = board_view()};
    struct nk_error error;
    const int opened = picture ? open_picture(&query, argc, argv) : EXIT_SUCCESS;
    if (opened)
        return opened;
    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    const enum nk_status status = answer_all(&query, argv, argc, &error);
    nk_writer_abandon(query.picture);
    if (status) {
        report_error(&error);
        return EXIT_FAILURE;
    }
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
