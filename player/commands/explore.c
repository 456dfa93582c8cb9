/* neutreeko explore: the moves of a position and their values, with the keys of a terminal. */

#include "common/system/system.h"
#include "player/commands/answer.h"
#include "player/commands/common.h"
#include "player/game/game.h"
#include "player/terminal/keys.h"
#include "player/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "Show a position and its moves with their values, best first, at a terminal, and\n"
    "play the moves back and forth with the arrow keys. The default POSITION is the\n"
    "start of the game. On the board, + and [ ] mark the last move, and * is where\n"
    "the chosen one ends.\n"
    "\n"
    "Keys:\n"
    "  Up, Down       choose a move\n"
    "  Home, End      the best, the worst\n"
    "  Enter, Right   play it\n"
    "  Left           take a move back\n"
    "  f              flip the board\n"
    "  ?              list the keys\n"
    "  q, Ctrl-D      end\n"
    "\n"
    "Examples:\n"
    "  neutreeko explore\n"
    "  neutreeko explore '5/b4/1w3/w1b2/b3w b'\n"
    "  neutreeko explore 'b1-c1 b5-c5'                after two moves\n";

static const char notes[] =
    "\n"
    "Exit status: 0 after a normal exit, 1 for a failure, 2 for incorrect usage, 130\n"
    "after Ctrl-C.\n";

static const struct nk_program_option options[] = {OUTPUT_OPTIONS,  BOARD_STYLE_OPTION, COLOR_OPTION,
                                                   GENERAL_OPTIONS, TABLE_OPTION,       NK_LAST_OPTION};

enum {
    OTHER_LINES = 4, /* than those of the board and the moves, unless they are wrapped */
    FRAME_LINES = NK_MAX_MOVES + OTHER_LINES,
    FRAME_LINE = 400,
    MOVE_LINE = 100
};

struct explorer {
    struct nk_table *table;
    const struct nk_rules *rules;
    struct nk_game *game;
    struct nk_board_view view;
    struct answer answer; /* about the current position */
    int chosen;           /* a move of the answer */
    bool helps;           /* the keys are listed */

    char lines[FRAME_LINES][FRAME_LINE]; /* what is shown */
    int count;
    int rows; /* from the first line that is shown to the cursor; 0 if nothing is shown */
};

static int check(int argc, char **argv)
{
    char quoted[NK_QUOTED_TEXT];
    const char *term = getenv("TERM");
    (void)argc, (void)argv;
    if (nk_system_is_terminal(stdin) && nk_system_is_screen(stdout))
        return EXIT_SUCCESS;
    if (nk_system_is_terminal(stdin) && nk_system_is_terminal(stdout))
        return nk_usage_error(program,
                              "this command moves the cursor, which TERM '%s' does not permit; use "
                              "'neutreeko query' instead",
                              nk_quote(term ? term : "", quoted));
    return nk_usage_error(program, "this command requires a terminal; use 'neutreeko query' instead");
}

/* ---- drawing ---- */

static char *add_line(struct explorer *explorer)
{
    char *line = explorer->lines[explorer->count++];
    *line = '\0';
    return line;
}

/* A line of the list of moves, as "> b1-c1  loses in 10". */
static void format_move(const struct explorer *explorer, int m, char text[MOVE_LINE])
{
    char painted[NK_PAINTED_TEXT];
    const struct nk_move_value *item = &explorer->answer.moves[m];
    struct nk_text value = nk_value_text(item->value);
    if (strstr(value.s, " pl"))
        *strstr(value.s, " pl") = '\0'; /* the unit, so that the line is short */
    snprintf(text, MOVE_LINE, "%s %s  %s", m == explorer->chosen ? ">" : " ",
             nk_move_text(explorer->rules, item->move).s,
             nk_paint(item->value.result, explorer->view.colour, value.s, painted));
}

/* The board, on which the last move and the end of the chosen one are marked, and the moves to its right. `room`: lines
 * that there may be. */
static void add_board(struct explorer *explorer, int room)
{
    const struct answer *answer = &explorer->answer;
    const int width = 6 + 2 * explorer->rules->board.width, height = explorer->rules->board.height + 1;
    const int shown = room > height ? room : height;
    char board[NK_BOARD_TEXT], move[MOVE_LINE];
    const int plies = nk_game_plies(explorer->game);
    const struct nk_move last = plies ? nk_game_move_at(explorer->game, plies - 1) : (struct nk_move){0};
    struct nk_board_view view = explorer->view;
    view.last = plies ? &last : NULL;
    view.next = answer->count ? &answer->moves[explorer->chosen].move : NULL;
    nk_board_format(explorer->rules, answer->position, answer->to_move, view, board);
    int m = explorer->chosen - shown / 2;
    m = m > answer->count - shown ? answer->count - shown : m;
    m = m < 0 ? 0 : m;
    const char *rank = board;
    for (int y = 0; y < shown && (y < height || m < answer->count); y++, m++) {
        const int length = (int)strcspn(rank, "\n");
        *move = '\0';
        if (m < answer->count)
            format_move(explorer, m, move);
        snprintf(add_line(explorer), FRAME_LINE, "%.*s%*s%s", length, rank,
                 width - terminal_columns(rank, (size_t)length), "", move);
        rank += length + (rank[length] == '\n');
    }
}

static void add_help(struct explorer *explorer)
{
    const char *line = strstr(about, "Keys:\n") + strlen("Keys:\n");
    for (; *line == ' '; line += strcspn(line, "\n") + 1)
        snprintf(add_line(explorer), FRAME_LINE, "%.*s", (int)strcspn(line, "\n"), line);
}

/* Draws all in place of what was drawn before. `fresh`: that may be anywhere, since the terminal has another size. */
static void draw(struct explorer *explorer, bool fresh)
{
    const struct nk_screen_size size = nk_system_screen_size(stdout);
    const int columns = size.columns, rows = size.rows;
    if (fresh)
        fputs("\033[H\033[2J", stdout);
    else if (explorer->rows)
        printf("\033[%dA\r\033[J", explorer->rows);
    explorer->count = 0;
    snprintf(add_line(explorer), FRAME_LINE, "%s",
             nk_position_text(explorer->rules, explorer->answer.position, explorer->answer.to_move).s);
    answer_format(&explorer->answer, add_line(explorer));
    (void)add_line(explorer);
    const int wrapped = (int)strlen(explorer->lines[0]) / columns;
    if (explorer->helps)
        add_help(explorer);
    else
        add_board(explorer, rows - OTHER_LINES - wrapped - 1);
    snprintf(add_line(explorer), FRAME_LINE, "Enter play, Left undo, ? help, q quit");
    explorer->rows = 0;
    for (int line = 0; line < explorer->count && explorer->rows < rows - 1; line++) {
        const char *text = explorer->lines[line];
        printf("%s\n", text);
        explorer->rows += 1 + (terminal_columns(text, strlen(text)) - 1) / columns;
    }
}

/* ---- keys ---- */

/* The game has changed: evaluates its position, and chooses the move, or the best one for NULL. */
static enum outcome evaluate(struct explorer *explorer, const struct nk_move *move)
{
    struct answer *answer = &explorer->answer;
    struct nk_error error;
    answer->position = nk_game_position(explorer->game);
    answer->to_move = nk_game_to_move(explorer->game);
    if (answer_find(explorer->table, answer, &error)) {
        report_error(&error);
        return FAIL;
    }
    explorer->chosen = move ? nk_move_find(answer->moves, sizeof *answer->moves, answer->count, *move) : 0;
    return CONTINUE;
}

static enum outcome play(struct explorer *explorer)
{
    struct nk_error error;
    if (!explorer->answer.count)
        return CONTINUE;
    if (nk_game_play(explorer->game, explorer->answer.moves[explorer->chosen].move, &error)) {
        report_error(&error);
        return FAIL;
    }
    return evaluate(explorer, NULL);
}

/* Takes a move back and chooses it. */
static enum outcome take_back(struct explorer *explorer)
{
    if (!nk_game_undo(explorer->game))
        return CONTINUE;
    const struct nk_move move = nk_game_move_at(explorer->game, nk_game_plies(explorer->game));
    return evaluate(explorer, &move);
}

static enum outcome press(struct explorer *explorer, int key)
{
    const int last = explorer->answer.count ? explorer->answer.count - 1 : 0;
    const bool helped = explorer->helps;
    explorer->helps = false;
    switch (key) {
    case KEY_UP:
        explorer->chosen -= explorer->chosen > 0;
        return CONTINUE;
    case KEY_DOWN:
        explorer->chosen += explorer->chosen < last;
        return CONTINUE;
    case KEY_FIRST:
        explorer->chosen = 0;
        return CONTINUE;
    case KEY_LAST:
        explorer->chosen = last;
        return CONTINUE;
    case KEY_RIGHT:
    case '\r':
        return play(explorer);
    case KEY_LEFT:
        return take_back(explorer);
    case 'f':
        explorer->view.flip = !explorer->view.flip;
        return CONTINUE;
    case '?':
        explorer->helps = !helped;
        return CONTINUE;
    case KEY_END:
    case 'q':
        return LEAVE;
    default:
        return CONTINUE;
    }
}

static enum outcome explore(struct explorer *explorer)
{
    int key = KEY_UNKNOWN;
    enum outcome outcome = evaluate(explorer, NULL);
    while (outcome == CONTINUE) {
        draw(explorer, key == KEY_RESIZED);
        if (!nk_flush_output(program))
            return FAIL;
        key = keys_read();
        outcome = press(explorer, key);
    }
    return outcome;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    static struct explorer explorer;
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_error error;
    explorer.table = table;
    explorer.rules = nk_table_rules(table);
    explorer.view = board_view();
    const int status = read_position_words(table, argv, argc, &position, &to_move);
    if (status)
        return status;
    if (nk_game_new(explorer.rules, position, to_move, &explorer.game, &error)) {
        report_error(&error);
        return EXIT_FAILURE;
    }
    nk_game_ignore_repetition(explorer.game);
    keys_open();
    const enum outcome outcome = explore(&explorer);
    keys_close();
    nk_game_free(explorer.game);
    return outcome == FAIL ? EXIT_FAILURE : EXIT_SUCCESS;
}

static bool reads_input(int argc, char **argv)
{
    (void)argc, (void)argv;
    return true;
}

const struct command explore_command = {.line = {"neutreeko explore", " [OPTION]... [POSITION] [MOVE]...",
                                                 about, options, notes, .operands = NK_ANY_OPERANDS},
                                        .check = check,
                                        .reads_input = reads_input,
                                        .run = run};
