#include "player/play/hint.h"

#include "common/base/distance.h"
#include "common/base/strbuf.h"
#include "common/game/notation.h"
#include "player/commands/common.h"
#include "player/play/messages.h"
#include "player/terminal/display.h"
#include "player/terminal/print.h"

#include <string.h>

/* The hints of neutreeko play, in their order. */
enum { PIECE, MOVE, WHY, LIST };

bool hint_give(const struct nk_rules *rules, int number, struct nk_move move)
{
    if (number == PIECE)
        print_sentence("Move the piece on %s. ('hint' again shows the move.)",
                       nk_square_text(rules, move.from).s);
    else if (number == MOVE)
        print_sentence("Play %s. ('hint' again explains it.)", nk_move_text(rules, move).s);
    return number <= MOVE;
}

static void list_moves(const struct session *session, const struct nk_choice choices[], int count)
{
    static const char *const occurrences[] = {"", " (2nd time)", " (3rd time)"};
    struct nk_text cells[NK_MAX_MOVES];
    for (int m = 0; m < count; m++) {
        const int repeats = choices[m].repeats < 2 ? choices[m].repeats : 2;
        cells[m] = nk_text_of("%s  %s%s", nk_move_text(session->rules, choices[m].move).s,
                              painted_value(choices[m].value).s, occurrences[repeats]);
    }
    terminal_print_columns(cells[0].s, sizeof cells[0], count);
}

/* Prints what is known about the replies to a move that keeps the draw. */
static void print_replies(const struct nk_rules *rules, const struct nk_explanation *why,
                          const char *opponent)
{
    if (why->has_only_reply) {
        print_sentence("%s's only reply that doesn't lose is %s.", opponent,
                       nk_move_text(rules, why->only_reply).s);
    } else if (why->losing) {
        print_sentence("%d of %s's %d replies lose.", why->losing, opponent, why->replies);
    }
}

/* What is special about the best move, as a sentence, or the empty text. */
static const char *about_best(const struct nk_explanation *why, const struct nk_choice choices[], int count)
{
    if (count == 1)
        return " It is the only legal move.";
    if (why->only)
        return why->value.result == NK_WIN ? " It is the only move that wins."
                                           : " It is the only move that doesn't lose.";
    if (why->value.result != NK_LOSS)
        return "";
    return nk_value_better(choices[0].value, choices[1].value)
               ? " Every move loses; this one delays the loss longest."
               : " Every move loses; none delays the loss longer.";
}

/* Prints what a move threatens and prevents, what is nearer first. A win is not a threat of its own if the move itself
 * wins as fast. */
static void print_threats(const struct nk_explanation *why, const char *opponent)
{
    const bool wins = why->value.result == NK_WIN && why->threat >= why->value.plies - 2;
    const int threat = wins ? 0 : why->threat, prevented = why->prevented;
    const bool threat_first = threat && threat < prevented;
    if (threat_first)
        print_sentence("It threatens to win in %s.", nk_moves_text(threat).s);
    if (prevented)
        print_sentence("It stops %s from winning in %s.", opponent, nk_moves_text(prevented).s);
    if (threat && !threat_first)
        print_sentence("It threatens to win in %s.", nk_moves_text(threat).s);
}

enum after_turn hint_explain(struct nk_table *table, const struct nk_game *game,
                             const struct nk_choice choices[], int count)
{
    const struct nk_rules *rules = nk_game_rules(game);
    struct nk_explanation why;
    struct nk_error error;
    const char *opponent = nk_colour_name(nk_colour_other(nk_game_to_move(game)));
    if (nk_explain(table, game, nk_game_plies(game), choices[0].move, &why, &error)) {
        report_error(&error);
        return FAIL;
    }
    print_sentence("%s %s with optimal play.%s", nk_move_text(rules, choices[0].move).s,
                   nk_value_text(why.value).s, about_best(&why, choices, count));
    if (why.repeats)
        print_sentence("It draws by threefold repetition.");
    print_threats(&why, opponent);
    if (why.value.result == NK_DRAW)
        print_replies(rules, &why, opponent);
    return CONTINUE;
}

static enum after_turn explain(const struct session *session, const struct nk_choice choices[], int count)
{
    const enum after_turn outcome = hint_explain(session->settings->table, session->game, choices, count);
    if (outcome == CONTINUE)
        print_sentence("('hint' again lists all moves.)");
    return outcome;
}

enum after_turn do_hint(void *context)
{
    struct session *session = context;
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_error error;
    int count;
    const bool all = strcmp(session->argument, "all") == 0;
    if (session_is_over(session)) {
        reject_line(session, "The game is over.");
        return CONTINUE;
    }
    if (*session->argument && !all) {
        reject_line(session, "Unknown argument '%s': type 'hint' or 'hint all'.", session->argument);
        return CONTINUE;
    }
    if (nk_choices(session->settings->table, session->game, choices, &count, &error)) {
        report_error(&error);
        return FAIL;
    }
    if (!all && !session->hints && all_lose_equally(choices, count)) {
        print_sentence("Every move loses in %s: none is better than another. ('hint' again lists them.)",
                       nk_moves_text(choices[0].value.plies).s);
        session->hints = LIST;
        return CONTINUE;
    }
    const int number = all ? LIST : session->hints++;
    if (number == WHY)
        return explain(session, choices, count);
    if (!hint_give(session->rules, number, choices[0].move))
        list_moves(session, choices, count);
    return CONTINUE;
}
