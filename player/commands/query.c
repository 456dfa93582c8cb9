/* neutreeko query: what positions are worth. */

#include "player/commands.h"

#include "common/strbuf.h"
#include "player/commands/json.h"
#include "player/describe.h"
#include "player/display.h"
#include "player/line_input.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: neutreeko query [OPTION]... [[POSITION] [MOVE]...]... | -\n"
    "Tell what positions are worth with best play, and what each of their moves leads to, best first.\n"
    "Without a POSITION it is the start; moves, such as b1-c1, lead on from there. With - positions are "
    "read\n"
    "from standard input, one a line.\n"
    "\n"
    "Examples:\n"
    "  neutreeko query\n"
    "  neutreeko query '1w1w1/2b2/5/2w2/1b1b1 b'         ranks from 5 down, then the side to move\n"
    "  neutreeko query B:.B.B...W.........B...W.W.       the side to move, then a1 to e1, a2 to e5\n"
    "  neutreeko query b1-c1 b5-c5                       where two moves lead to\n"
    "  neutreeko query --json - <positions\n"
    "\n"
    "Options:\n"
    "      --json        print one JSON object a line\n"
    "      --table FILE  the table to ask\n"
    "      --no-color    no colours (there are none anyway unless the output is a terminal)\n"
    "  -h, --help        show this help\n"
    "\n"
    "Exit status: 0 when all positions were answered, 1 for a failure, 2 for wrong usage or no position.\n";

static const char command[] = "query";

struct query {
    struct nk_table *table;
    const struct nk_rules *rules;
    bool json, colour;
    bool from_input; /* positions come from standard input */
    bool answered;   /* something has been printed */
    bool refused;    /* some position could not be answered */
};

/* A position, its worth, and its moves. */
struct answer {
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_value value;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
};

static void print_moves(const struct query *query, const struct answer *answer)
{
    char bytes[NK_MAX_MOVES * (NK_MOVE_TEXT + NK_VALUE_TEXT + 4)], move[NK_MOVE_TEXT], value[NK_VALUE_TEXT];
    struct nk_strbuf text = {bytes, sizeof bytes, 0};
    for (int m = 0; m < answer->count; m++) {
        nk_move_print(query->rules, answer->moves[m].move, move);
        nk_value_format(answer->moves[m].value, value);
        nk_strbuf_add(&text, "  %s  %s\n", move, value);
    }
    fputs(bytes, stdout);
}

static void print_answer(const struct query *query, const struct answer *answer)
{
    char text[NK_POSITION_TEXT], words[NK_VALUE_TEXT];
    nk_position_print(query->rules, answer->position, answer->to_move, text);
    if (query->answered)
        putchar('\n');
    printf("%s\n\n", text);
    nk_show_board(stdout, query->rules, answer->position, answer->to_move,
                  (struct nk_look){.colour = query->colour});
    nk_value_format(answer->value, words);
    const char *mover = nk_colour_name(answer->to_move);
    if (answer->count) {
        printf("\n%s to move %s%s.\n\n", mover, words,
               answer->value.result == NK_DRAW ? " with best play" : "");
        print_moves(query, answer);
    } else if (answer->value.result == NK_LOSS) {
        printf("\nThe game is over: %s has won.\n", nk_colour_name(nk_colour_other(answer->to_move)));
    } else {
        printf("\n%s has no move: a draw.\n", mover);
    }
}

static void print_answer_json(const struct query *query, const struct answer *answer)
{
    struct nk_json *json = nk_json_begin_line();
    json_add_position(json, "position", query->rules, answer->position, answer->to_move);
    json_add_value(json, answer->value);
    nk_json_begin_array(json, "moves");
    for (int m = 0; m < answer->count; m++) {
        nk_json_begin_object(json, NULL);
        json_add_move(json, "move", query->rules, answer->moves[m].move);
        json_add_value(json, answer->moves[m].value);
        nk_json_end_object(json);
    }
    nk_json_end_array(json);
    nk_json_end_line(json);
}

/* Tells that a text is no position that can be answered, or no move that leads to one. Returns true: the other
 * positions are answered all the same. */
static bool refuse(struct query *query, const char *text, const char *what, const struct nk_error *error)
{
    query->refused = true;
    if (query->json && query->from_input) {
        char why[sizeof error->text + 32];
        if (error->at)
            snprintf(why, sizeof why, "character %zu: %s", error->at, error->text);
        else
            snprintf(why, sizeof why, "%s", error->text);
        struct nk_json *json = nk_json_begin_line();
        nk_json_string(json, "input", text);
        nk_json_string(json, "error", why);
        nk_json_end_line(json);
        return true;
    }
    fflush(stdout);
    if (strcmp(what, "position") == 0) {
        refuse_position(command, nk_table_rules(query->table), text, error);
        return true;
    }
    char shown[QUOTED_TEXT];
    fprintf(stderr, "neutreeko query: '%s' is no %s: %s\n", quoted(text, shown), what, error->text);
    return true;
}

/* Returns false when it makes no sense to go on, as all functions that answer. */
static bool answer_position(struct query *query, struct nk_position position, enum nk_colour to_move)
{
    struct answer answer = {.position = position, .to_move = to_move};
    struct nk_error error;
    if (nk_table_value(query->table, answer.position, &answer.value, &error) ||
        nk_table_moves(query->table, answer.position, answer.moves, &answer.count, &error)) {
        report_error(command, &error);
        return false;
    }
    if (query->json)
        print_answer_json(query, &answer);
    else
        print_answer(query, &answer);
    query->answered = true;
    return true;
}

static bool answer_text(struct query *query, const char *text)
{
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_error error;
    if (nk_position_parse(query->rules, text, &position, &to_move, &error))
        return refuse(query, text, "position", &error);
    return answer_position(query, position, to_move);
}

/* Before it waits for input, all answers so far leave, so that a program at both ends of the pipe can converse. */
static bool answer_input(struct query *query)
{
    static struct nk_line_input input = {.file = STDIN_FILENO};
    bool going = true;
    query->from_input = true;
    while (going && (nk_line_is_ready(&input) || flush_output(command)) && nk_line_read(&input)) {
        struct nk_error error;
        const char *line = input.text;
        const size_t length = input.length, text = strlen(line);
        if (length > NK_LINE_BYTES) {
            (void)nk_fail(&error, NK_E_SYNTAX, 0, "a line of more than %d bytes", (int)NK_LINE_BYTES);
            going = refuse(query, line, "position", &error);
        } else if (text < length) {
            (void)nk_fail(&error, NK_E_SYNTAX, text + 1, "found byte 0");
            going = refuse(query, line, "position", &error);
        } else if (length) {
            going = answer_text(query, line);
        }
        going = going && !ferror(stdout);
    }
    if (going && input.failed) {
        fputs("neutreeko query: cannot read standard input\n", stderr);
        going = false;
    }
    return going;
}

/* Answers where the moves at the beginning of words[] lead to from the position before them or, without one,
 * from the start; *used is how many words that were. */
static bool answer_words(struct query *query, char *words[], int count, int *used)
{
    struct nk_position position;
    enum nk_colour to_move = NK_BLACK;
    struct nk_move move;
    struct nk_error error;
    int n = 0;
    if (count && nk_move_parse(query->rules, words[0], &move, NULL)) {
        *used = n = 1;
        if (nk_position_parse(query->rules, words[0], &position, &to_move, &error))
            return refuse(query, words[0], "position", &error);
    } else if (!nk_rules_start(query->rules, &position)) {
        fputs("neutreeko query: the board of this table has no start position: name a POSITION\n", stderr);
        return false;
    }
    const char *wrong = NULL;
    for (; n < count && !nk_move_parse(query->rules, words[n], &move, NULL); n++) {
        if (!wrong && nk_move_check(query->rules, position, to_move, move, &error))
            wrong = words[n];
        if (wrong)
            continue;
        position = nk_position_after(position, move);
        to_move = nk_colour_other(to_move);
    }
    *used = n;
    return wrong ? refuse(query, wrong, "move", &error) : answer_position(query, position, to_move);
}

int command_query(int argc, char **argv)
{
    enum { JSON = 256, TABLE, NO_COLOR };
    static const struct option known[] = {
        {"json", no_argument, NULL, JSON},
        {"table", required_argument, NULL, TABLE},
        {"no-color", no_argument, NULL, NO_COLOR},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static char buffer[1 << 16]; /* many answers at a time */
    struct query query = {.colour = nk_use_colour(stdout)};
    const char *path = NULL;
    int option;
    while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1)
        switch (option) {
        case JSON:
            query.json = true;
            break;
        case TABLE:
            path = optarg;
            break;
        case NO_COLOR:
            query.colour = false;
            break;
        case 'h':
            return print_text(help);
        default:
            return usage_error(command);
        }
    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    if (!open_table(command, path, &query.table))
        return EXIT_FAILURE;
    query.rules = nk_table_rules(query.table);
    bool going = true;
    int i = optind, used;
    do {
        used = 1;
        going = i < argc && strcmp(argv[i], "-") == 0 ? answer_input(&query)
                                                      : answer_words(&query, argv + i, argc - i, &used);
    } while (going && (i += used) < argc);
    going = flush_output(command) && going;
    nk_table_close(query.table);
    if (!going)
        return EXIT_FAILURE;
    if (!query.refused)
        return EXIT_SUCCESS;
    return query.json && query.from_input ? EXIT_FAILURE : EXIT_USAGE;
}
