#include "player/commands/hint.h"

#include "player/commands/messages.h"
#include "player/terminal/display.h"
#include "player/commands/common.h"
#include "player/game/explain.h"

#include <string.h>

static void list_moves(const struct session *session, const struct nk_choice choices[], int count)
{
    enum { CELL = NK_MOVE_TEXT + NK_PAINTED_TEXT + 16 };
    static const char *const occurrences[] = {"", " (2nd time)", " (3rd time)"};
    char cells[NK_MAX_MOVES][CELL], move[NK_MOVE_TEXT], value[NK_PAINTED_TEXT];
    for (int m = 0; m < count; m++) {
        const int repeats = choices[m].repeats < 2 ? choices[m].repeats : 2;
        nk_move_print(session->rules, choices[m].move, move);
        snprintf(cells[m], CELL, "%s  %s%s", move, painted_value(choices[m].value, value),
                 occurrences[repeats]);
    }
    terminal_print_columns(cells[0], CELL, count);
}

static const char *plies(int count)
{
    return count == 1 ? "ply" : "plies";
}

/* Prints what is known about the replies to a move that keeps the draw. */
static void say_replies(const struct session *session, const struct nk_explanation *why, const char *opponent)
{
    char reply[NK_MOVE_TEXT];
    if (why->has_only_reply) {
        nk_move_print(session->rules, why->only_reply, reply);
        say("%s's only reply that doesn't lose is %s.", opponent, reply);
    } else if (why->losing) {
        say("%d of %s's %d replies lose.", why->losing, opponent, why->replies);
    }
}

/* Explains the best move. */
static enum outcome explain(const struct session *session, struct nk_move best)
{
    struct nk_explanation why;
    struct nk_error error;
    char move[NK_MOVE_TEXT], value[NK_VALUE_TEXT];
    const enum nk_colour mover = nk_game_to_move(session->game);
    const char *opponent = nk_colour_name(nk_colour_other(mover));
    if (nk_explain(session->play->table, session->game, nk_game_plies(session->game), best, NULL, &why,
                   &error)) {
        report_error(&error);
        return FAIL;
    }
    nk_move_print(session->rules, best, move);
    nk_value_format(why.value, value);
    if (why.only)
        say("%s %s with optimal play. It is the only move that %s.", move, value,
            why.value.result == NK_WIN ? "wins" : "doesn't lose");
    else if (why.value.result == NK_LOSS)
        say("%s %s with optimal play. Every move loses; this one delays the loss longest.", move, value);
    else
        say("%s %s with optimal play.", move, value);
    if (why.repeats)
        say("It draws by threefold repetition.");
    if (why.prevented)
        say("It stops %s from winning in %d %s.", opponent, why.prevented, plies(why.prevented));
    if (why.threat)
        say("It threatens to win in %d %s.", why.threat, plies(why.threat));
    if (why.value.result == NK_DRAW)
        say_replies(session, &why, opponent);
    say_whether_exact(why.exact);
    say("('hint' again lists all moves.)");
    return CONTINUE;
}

enum outcome do_hint(struct session *session)
{
    enum { PIECE, MOVE, WHY };
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_error error;
    char text[NK_MOVE_TEXT];
    int count;
    const bool all = strcmp(session->argument, "all") == 0;
    if (session_is_over(session)) {
        say_error(session, "The game is over.");
        return CONTINUE;
    }
    if (*session->argument && !all) {
        say_error(session, "Unknown argument '%s': type 'hint' or 'hint all'.", session->argument);
        return CONTINUE;
    }
    if (nk_choices(session->play->table, session->game, choices, &count, &error)) {
        report_error(&error);
        return FAIL;
    }
    const struct nk_move best = choices[0].move;
    switch (all ? WHY + 1 : session->hints++) {
    case PIECE:
        nk_square_print(session->rules, best.from, text);
        say("Move the piece on %s. ('hint' again shows the move.)", text);
        break;
    case MOVE:
        nk_move_print(session->rules, best, text);
        say("Play %s. ('hint' again explains it.)", text);
        break;
    case WHY:
        return explain(session, best);
    default:
        list_moves(session, choices, count);
    }
    say_whether_exact(choices[0].exact);
    return CONTINUE;
}
