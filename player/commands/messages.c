#include "player/commands/messages.h"

#include "player/describe.h"
#include "player/display.h"

#include <stdarg.h>
#include <string.h>

static void print(FILE *stream, const char *format, va_list arguments)
{
    char text[SENTENCE];
    vsnprintf(text, sizeof text, format, arguments);
    terminal_print(stream, 0, text);
    putc('\n', stream);
}

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(stdout, format, arguments);
    va_end(arguments);
}

void object(const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    va_start(arguments, format);
    print(stderr, format, arguments);
    va_end(arguments);
}

enum outcome say_failure(const char *why)
{
    fflush(stdout);
    fprintf(stderr, "neutreeko play: %s\n", why);
    return FAIL;
}

void say_board(const struct session *session)
{
    const int plies = nk_game_plies(session->game);
    struct nk_look look = {.colour = session->play->colour, .flip = session->play->flip};
    struct nk_move last;
    if (plies) {
        last = nk_game_move_at(session->game, plies - 1);
        look.last = &last;
    }
    putchar('\n');
    nk_show_board(stdout, session->rules, nk_game_position(session->game), nk_game_to_move(session->game),
                  look);
    putchar('\n');
}

/* What wins, as "three of your pieces in an unbroken line". */
static void write_goal(const struct nk_rules *rules, char text[SENTENCE])
{
    static const char *const numbers[] = {"no", "one", "two", "three", "four", "five"};
    static const char *const lines[] = {
        [NK_WIN_LINE] = "unbroken line, straight or diagonal",
        [NK_WIN_ORTHOGONAL] = "unbroken line, not diagonal",
        [NK_WIN_DIAGONAL] = "unbroken diagonal line",
    };
    if (rules->win == NK_WIN_CENTRE)
        snprintf(text, SENTENCE, "a piece on the centre square");
    else if (rules->win == NK_WIN_EQUIDISTANT)
        snprintf(text, SENTENCE, "one of your pieces exactly halfway between the other two");
    else
        snprintf(text, SENTENCE, "%s of your pieces in an %s", numbers[rules->row_length], lines[rules->win]);
}

void say_rules(const struct session *session)
{
    char goal[SENTENCE];
    write_goal(session->rules, goal);
    say("Neutreeko: you win with %s. A piece slides in any of eight directions until the edge or another "
        "piece "
        "stops it.",
        goal);
}

void say_players(const struct session *session)
{
    char names[2][NK_OPPONENT_TEXT];
    for (int colour = NK_BLACK; colour <= NK_WHITE; colour++)
        nk_opponent_print(session->play->players[colour], names[colour]);
    if (session_people(session) == 1) {
        const enum nk_colour person = session_is_human(session, NK_BLACK) ? NK_BLACK : NK_WHITE;
        say("You play %s (%c) against '%s'.", nk_colour_name(person), person == NK_BLACK ? 'b' : 'w',
            names[nk_colour_other(person)]);
    } else {
        say("Black (b): %s. White (w): %s.", names[NK_BLACK], names[NK_WHITE]);
    }
}

void say_welcome(const struct session *session)
{
    struct nk_move moves[NK_MAX_MOVES];
    if (session->interactive)
        say_rules(session);
    say_players(session);
    if (session->interactive && nk_position_moves(session->rules, session->play->start, moves)) {
        char move[NK_MOVE_TEXT];
        nk_move_print(session->rules, moves[0], move);
        say("Type a move like %s (from, to), 'hint' or 'help'.", move);
    }
}

/* A person who has lost to the perfect player may want another opponent. */
static bool is_too_strong(const struct session *session, enum nk_colour winner)
{
    char name[NK_OPPONENT_TEXT];
    nk_opponent_print(session->play->players[winner], name);
    return session_people(session) == 1 && strcmp(name, "perfect") == 0;
}

void say_end(const struct session *session)
{
    static const char *const numbers[] = {"No", "One", "Two", "Three", "Four", "Five"};
    enum nk_colour winner = NK_BLACK;
    char text[NK_END_TEXT];
    const enum nk_end end = nk_game_end(session->game, &winner);
    const bool row = end == NK_END_WON && session->rules->win <= NK_WIN_DIAGONAL;
    const bool won = end == NK_END_WON && session_people(session) == 1 && session_is_human(session, winner);
    nk_end_format(session->game, text);
    say("%s%s%s%s", row ? numbers[session->rules->row_length] : "", row ? " in a row: " : "", text,
        won ? " Congratulations!" : "");
    if (!session->interactive)
        return;
    if ((end == NK_END_WON || end == NK_END_RESIGNED) && is_too_strong(session, winner))
        say("This opponent never errs; 'against level:3' is a gentler one.");
    say("Now 'undo', 'new', 'save FILE' or 'quit'.");
}

enum outcome say_outlook(const struct session *session)
{
    struct nk_option options[NK_MAX_MOVES];
    struct nk_error error;
    char words[NK_VALUE_TEXT], keeping[64];
    int count, keep = 0;
    if (nk_options(session->play->table, session->game, options, &count, &error))
        return say_failure(error.text);
    const enum nk_result result = options[0].value.result;
    while (keep < count && options[keep].value.result == result)
        keep++;
    const char *verb = result == NK_WIN ? "win" : "hold it";
    const char *verbs = result == NK_WIN ? "wins" : "holds it";
    if (keep == count)
        snprintf(keeping, sizeof keeping, "every move %s", verbs);
    else if (keep == 1)
        snprintf(keeping, sizeof keeping, "only one of %d moves %s", count, verbs);
    else
        snprintf(keeping, sizeof keeping, "%d of %d moves %s", keep, count, verb);
    nk_value_format(options[0].value, words);
    const char *mover = nk_colour_name(nk_game_to_move(session->game));
    if (result == NK_LOSS)
        say("%s %s at the latest.", mover, words);
    else
        say("%s %s with best play; %s.", mover, words, keeping);
    return GO_ON;
}

void say_judgement(const struct session *session, struct nk_move move, const struct nk_option options[],
                   int count)
{
    char played[NK_MOVE_TEXT], best[NK_MOVE_TEXT], words[NK_VALUE_TEXT];
    int chosen = 0;
    while (chosen < count - 1 &&
           (options[chosen].move.from != move.from || options[chosen].move.to != move.to))
        chosen++;
    const struct nk_value before = options[0].value, after = options[chosen].value;
    nk_move_print(session->rules, move, played);
    nk_move_print(session->rules, options[0].move, best);
    nk_value_format(after, words);
    if (after.result != before.result)
        say("%s gives the %s away: it %s; %s was better. ('undo' takes it back.)", played,
            nk_result_name(before.result), words, best);
    else if (nk_value_better(before, after))
        say("%s %s; %s would have %s.", played, words, best,
            before.result == NK_WIN ? "been faster" : "held out longer");
    else if (options[count - 1].value.result != before.result && !session_is_over(session))
        say("Well played: %s keeps the %s.", played, nk_result_name(before.result));
}
