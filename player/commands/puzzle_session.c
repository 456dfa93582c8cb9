#include "player/commands/puzzle_session.h"

#include "common/system.h"
#include "player/commands/common.h"
#include "player/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 10 }; /* puzzles that are taken at a time, because that reads the whole table */

/* The puzzle that is being solved, and the score. */
struct quiz {
    const struct puzzle_session *session;
    const struct nk_rules *rules;
    struct nk_puzzle puzzles[BATCH];
    size_t count, current;
    int hints, mistakes; /* in this puzzle */
    bool solved;         /* this puzzle */
    int all_solved, alone, shown;
};

enum step { STAY, NEXT, LEAVE, FAIL };

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    terminal_print(stdout, 0, text);
    putchar('\n');
}

bool puzzle_is_interactive(void)
{
    return nk_system_is_terminal(stdin) && nk_system_is_terminal(stdout);
}

static const struct nk_puzzle *current(const struct quiz *quiz)
{
    return &quiz->puzzles[quiz->current];
}

/* ---- answers ---- */

static enum step solve(struct quiz *quiz, const char *move, const char *value)
{
    quiz->solved = true;
    quiz->all_solved++;
    quiz->alone += !quiz->hints && !quiz->mistakes;
    say("Correct! %s %s. Press Enter for the next puzzle.", move, value);
    return STAY;
}

/* Judges a legal move. */
static enum step judge(struct quiz *quiz, struct nk_move move)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    struct nk_error error;
    char text[NK_MOVE_TEXT], value[NK_VALUE_TEXT];
    int count;
    const struct nk_puzzle *puzzle = current(quiz);
    if (nk_table_moves(quiz->session->table, puzzle->position, moves, &count, &error)) {
        (void)report_error(&error);
        return FAIL;
    }
    nk_move_print(quiz->rules, move, text);
    nk_value_format(moves[nk_move_find(moves, sizeof *moves, count, move)].value, value);
    if (nk_move_equal(move, puzzle->answer))
        return solve(quiz, text, value);
    quiz->mistakes++;
    say("Not quite: %s %s. Try again, or type 'hint'.", text, value);
    return STAY;
}

static enum step try_move(struct quiz *quiz, const char *typed)
{
    struct nk_move move;
    struct nk_error error;
    const struct nk_puzzle *puzzle = current(quiz);
    if (nk_move_parse(quiz->rules, typed, &move, &error))
        say("Unknown move or command '%s': type a move such as a1-b2, 'hint', 'next', 'score' or 'quit'.",
            typed);
    else if (quiz->solved)
        say("This puzzle is solved. Press Enter for the next one.");
    else if (nk_move_check(quiz->rules, puzzle->position, puzzle->to_move, move, &error))
        say("%s: %s.", typed, error.text);
    else
        return judge(quiz, move);
    return STAY;
}

static enum step hint(struct quiz *quiz)
{
    char text[NK_MOVE_TEXT];
    const struct nk_move answer = current(quiz)->answer;
    if (quiz->hints++ == 0) {
        nk_square_print(quiz->rules, answer.from, text);
        say("Move the piece on %s. ('hint' again shows the move.)", text);
    } else {
        nk_move_print(quiz->rules, answer, text);
        say("Play %s.", text);
    }
    return STAY;
}

static enum step next(struct quiz *quiz)
{
    char text[NK_MOVE_TEXT];
    nk_move_print(quiz->rules, current(quiz)->answer, text);
    if (!quiz->solved)
        say("The answer was %s.", text);
    return NEXT;
}

static enum step score(struct quiz *quiz)
{
    const bool untouched = !quiz->solved && !quiz->hints && !quiz->mistakes;
    say("Solved %d of %d, %d at the first try without a hint.", quiz->all_solved, quiz->shown - untouched,
        quiz->alone);
    return STAY;
}

static enum step leave(struct quiz *quiz)
{
    (void)quiz;
    return LEAVE;
}

static const struct {
    const char *name;
    enum step (*run)(struct quiz *quiz);
} commands[] = {{"hint", hint}, {"next", next}, {"score", score}, {"quit", leave}};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static enum step answer(struct quiz *quiz, const char *line)
{
    if (!*line)
        return quiz->solved ? NEXT : STAY;
    for (int c = 0; c < COMMANDS; c++)
        if (strncmp(commands[c].name, line, strlen(line)) == 0)
            return commands[c].run(quiz);
    return try_move(quiz, line);
}

/* ---- the session ---- */

static void complete(void *context, const char *begun, struct terminal_words *found)
{
    const struct quiz *quiz = context;
    struct nk_move moves[NK_MAX_MOVES];
    char text[NK_MOVE_TEXT];
    const int count = nk_position_moves(quiz->rules, current(quiz)->position, moves);
    for (int m = 0; m < count; m++) {
        nk_move_print(quiz->rules, moves[m], text);
        if (strncmp(text, begun, strlen(begun)) == 0)
            terminal_add_word(found, text, "");
    }
    for (int c = 0; c < COMMANDS; c++)
        if (strncmp(commands[c].name, begun, strlen(begun)) == 0)
            terminal_add_word(found, commands[c].name, "");
}

/* Asks about the current puzzle until it is left. */
static enum step ask(struct quiz *quiz, struct terminal *terminal)
{
    char prompt[16];
    const char *line;
    enum step step = STAY;
    snprintf(prompt, sizeof prompt, "%s> ", nk_colour_name(current(quiz)->to_move));
    if (!quiz->shown++)
        say("Type a move such as a1-b2, 'hint', 'next', 'score' or 'quit'.\n");
    quiz->hints = quiz->mistakes = 0;
    quiz->solved = false;
    quiz->session->print(quiz->rules, current(quiz));
    while (step == STAY) {
        if (!nk_flush_output(program))
            return FAIL;
        switch (terminal_read(terminal, prompt, &line)) {
        case TERMINAL_GOT_LINE:
            step = answer(quiz, line);
            break;
        case TERMINAL_END:
            putchar('\n');
            step = LEAVE;
            break;
        case TERMINAL_FAILED:
            nk_report(program, "cannot read standard input: %s", strerror(errno));
            step = FAIL;
            break;
        }
    }
    return step;
}

/* Makes the next puzzle the current one. Returns false after an error message, or if there is none. */
static bool advance(struct quiz *quiz, struct puzzle_session *session, struct nk_puzzle_count *count)
{
    struct nk_error error;
    if (++quiz->current < quiz->count)
        return true;
    if (nk_puzzle_take(session->table, NULL, session->plies, &session->random, quiz->puzzles, BATCH, count,
                       &error))
        return report_error(&error);
    quiz->count = count->total < BATCH ? (size_t)count->total : BATCH;
    quiz->current = 0;
    return count->total;
}

int puzzle_session(struct puzzle_session *session, struct nk_puzzle_count *count)
{
    struct quiz quiz = {.session = session, .rules = nk_table_rules(session->table)};
    enum step step = NEXT;
    struct terminal *terminal = terminal_open(complete, &quiz);
    if (!terminal) {
        nk_report(program, "out of memory");
        return EXIT_FAILURE;
    }
    while (step == NEXT) {
        step = advance(&quiz, session, count) ? ask(&quiz, terminal) : FAIL;
        if (step == NEXT)
            putchar('\n');
    }
    if (step == LEAVE)
        (void)score(&quiz);
    terminal_close(terminal);
    return step == FAIL ? EXIT_FAILURE : EXIT_SUCCESS;
}
