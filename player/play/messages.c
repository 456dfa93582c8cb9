#include "player/play/messages.h"

#include "common/base/strbuf.h"
#include "player/commands/common.h"
#include "player/terminal/display.h"
#include "player/terminal/print.h"

#include <stdarg.h>
#include <string.h>

static void print(FILE *stream, const char *format, va_list arguments)
{
    char text[SENTENCE], escaped[SENTENCE * (NK_ESCAPED - 1)];
    vsnprintf(text, sizeof text, format, arguments);
    nk_strbuf_add_escaped(&(struct nk_strbuf){escaped, sizeof escaped, 0}, text);
    terminal_print(stream, 0, escaped);
    putc('\n', stream);
}

void print_sentence(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(stdout, format, arguments);
    va_end(arguments);
}

void reject_line(struct session *session, const char *format, ...)
{
    va_list arguments;
    session->has_rejected_line = true;
    fflush(stdout);
    va_start(arguments, format);
    print(stderr, format, arguments);
    va_end(arguments);
}

void print_board(const struct session *session)
{
    putchar('\n');
    nk_show_game(session->game, nk_game_plies(session->game), session->view);
    putchar('\n');
}

/* The winning condition, as "three of your pieces in an unbroken line". */
static void write_goal(const struct nk_rules *rules, char text[SENTENCE])
{
    static const char *const numbers[] = {"no", "one", "two", "three", "four", "five"};
    static const char *const lines[] = {
        [NK_WIN_LINE] = "unbroken line in any direction",
        [NK_WIN_ORTHOGONAL] = "unbroken line, not diagonal",
        [NK_WIN_DIAGONAL] = "unbroken diagonal line",
    };
    if (rules->board.win == NK_WIN_CENTRE)
        snprintf(text, SENTENCE, "a piece on the centre square");
    else if (rules->board.win == NK_WIN_EQUIDISTANT)
        snprintf(text, SENTENCE, "one of your pieces exactly halfway between the other two");
    else
        snprintf(text, SENTENCE, "%s of your pieces in an %s", numbers[rules->board.row_length],
                 lines[rules->board.win]);
}

void print_rules(const struct session *session)
{
    char goal[SENTENCE];
    write_goal(session->rules, goal);
    print_sentence(
        "Neutreeko: you win with %s. A piece slides in any of eight directions until it hits the edge or "
        "another piece.",
        goal);
}

/* The name of an opponent as people know it: "easy (level:5)". */
static struct nk_text title_of(struct nk_opponent opponent)
{
    const char *offered = nk_opponent_offered_as(opponent);
    const struct nk_text name = nk_opponent_name(opponent);
    return offered && strcmp(offered, name.s) != 0 ? nk_text_of("%s (%s)", offered, name.s) : name;
}

void print_players(const struct session *session)
{
    const bool unicode = session->view.unicode;
    const struct nk_text names[] = {title_of(session->players[NK_BLACK]),
                                    title_of(session->players[NK_WHITE])};
    if (session_people(session) == 1) {
        const enum nk_colour person = session_is_human(session, NK_BLACK) ? NK_BLACK : NK_WHITE;
        print_sentence("You play %s (%s) against %s.", nk_colour_name(person), nk_piece_text(person, unicode),
                       names[nk_colour_other(person)].s);
    } else {
        print_sentence("Black (%s): %s. White (%s): %s.", nk_piece_text(NK_BLACK, unicode), names[NK_BLACK].s,
                       nk_piece_text(NK_WHITE, unicode), names[NK_WHITE].s);
    }
}

void print_invitation(void)
{
    print_sentence("Type a move such as a1-b2, 'hint' or 'help'.");
}

void print_welcome(const struct session *session)
{
    if (session->interactive)
        print_rules(session);
    print_players(session);
    if (session_people(session) < 2)
        print_seed();
    if (session->interactive)
        print_invitation();
}

/* Whether to suggest another opponent to a person who lost to the perfect player. */
static bool is_too_strong(const struct session *session, enum nk_colour winner)
{
    return session_people(session) == 1 &&
           strcmp(nk_opponent_name(session->players[winner]).s, "perfect") == 0;
}

void print_end(const struct session *session)
{
    static const char *const numbers[] = {"No", "One", "Two", "Three", "Four", "Five"};
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(session->game, &winner);
    const bool in_line = end == NK_END_WON && session->rules->board.win <= NK_WIN_DIAGONAL;
    const bool won = end == NK_END_WON && session->person_has_moved && session_people(session) == 1 &&
                     session_is_human(session, winner);
    print_sentence("%s%s%s%s", in_line ? numbers[session->rules->board.row_length] : "",
                   in_line ? " in a row: " : "", nk_end_text(session->game).s,
                   won ? " Congratulations!" : "");
    if (!session->interactive)
        return;
    if (session->person_has_moved && (end == NK_END_WON || end == NK_END_RESIGNED) &&
        is_too_strong(session, winner))
        print_sentence("This opponent never makes a mistake; try 'against easy'.");
    const bool begun = nk_game_plies(session->game) || end == NK_END_RESIGNED;
    print_sentence(begun ? "Next: 'review', 'undo', 'new', 'save FILE' or 'quit'."
                         : "Next: 'new', 'load FILE' or 'quit'.");
}

bool all_lose_equally(const struct nk_choice choices[], int count)
{
    return count > 1 && choices[0].value.result == NK_LOSS &&
           !nk_value_better(choices[0].value, choices[count - 1].value);
}

enum after_turn print_evaluation(const struct session *session)
{
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_error error;
    int count, keep = 0;
    if (nk_choices(session->settings->table, session->game, choices, &count, &error)) {
        report_error(&error);
        return FAIL;
    }
    const enum nk_result result = choices[0].value.result;
    const char *mover = nk_colour_name(nk_game_to_move(session->game));
    while (keep < count && choices[keep].value.result == result)
        keep++;
    const struct nk_text value = nk_value_text(choices[0].value);
    if (all_lose_equally(choices, count))
        print_sentence("%s %s with every move.", mover, value.s);
    else if (result == NK_LOSS)
        print_sentence("%s %s with optimal play.", mover, value.s);
    else if (keep == count)
        print_sentence("%s %s with optimal play; every move keeps the %s.", mover, value.s,
                       nk_result_name(result));
    else
        print_sentence("%s %s with optimal play; %s%d of %d moves keep%s the %s.", mover, value.s,
                       keep == 1 ? "only " : "", keep, count, keep == 1 ? "s" : "", nk_result_name(result));
    return CONTINUE;
}

void print_comment(const struct session *session, struct nk_move move, const struct nk_choice choices[],
                   int count)
{
    const struct nk_value before = choices[0].value;
    const struct nk_value after = choices[nk_move_find(choices, sizeof *choices, count, move)].value;
    const struct nk_text played = nk_move_text(session->rules, move);
    const struct nk_text best = nk_move_text(session->rules, choices[0].move);
    const struct nk_text value = nk_value_text(after);
    if (after.result != before.result)
        print_sentence("%s: %s doesn't keep the %s: it %s. Best: %s. ('undo' takes the move back.)",
                       before.result == NK_WIN && after.result == NK_LOSS ? "Blunder" : "Mistake", played.s,
                       nk_result_name(before.result), value.s, best.s);
    else if (nk_value_better(before, after))
        print_sentence("%s %s; %s %s.", played.s, value.s, best.s,
                       before.result == NK_WIN ? "wins faster" : "loses later");
    else if (choices[count - 1].value.result != before.result && !session_is_over(session))
        print_sentence("%s keeps the %s.", played.s, nk_result_name(before.result));
}
