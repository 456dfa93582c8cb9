#include "player/play/play_session.h"

#include "common/system/system.h"
#include "player/play/messages.h"
#include "player/play/play_commands.h"
#include "player/play/prompt.h"
#include "player/terminal/display.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- moves ---- */

static enum after_turn computer_moves(struct session *session)
{
    const struct play_settings *settings = session->settings;
    struct nk_error error;
    struct nk_move move = {0, 0};
    uint64_t visited = 0;
    const enum nk_colour mover = nk_game_to_move(session->game);
    printf("%s plays ", nk_colour_name(mover));
    fflush(stdout); /* the search may take a while */
    if (nk_opponent_choose(session->players[mover], settings->table, session->game, &session->random, NULL,
                           &move, &visited, &error) ||
        nk_game_play(session->game, move, &error)) {
        putchar('\n');
        report_error(&error);
        return FAIL;
    }
    printf("%s.\n", nk_move_text(session->rules, move).s);
    if (settings->stats && visited) {
        fflush(stdout);
        fprintf(stderr, "%s visited %s position%s.\n", nk_colour_name(mover), nk_group_digits(visited).s,
                nk_plural(visited));
    }
    session_change(session);
    return CONTINUE;
}

static enum after_turn person_moves(struct session *session, const char *typed)
{
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_error error;
    struct nk_move move;
    char message[PROMPT_MESSAGE];
    int count = 0;
    if (session_is_over(session)) {
        reject_line(session, "The game is over.");
        return CONTINUE;
    }
    if (nk_move_parse(session->rules, typed, &move, &error)) {
        prompt_move_error(session->rules, nk_game_position(session->game), typed, &error, message);
        reject_line(session, "%s", message);
        return CONTINUE;
    }
    const struct nk_text text = nk_move_text(session->rules, move);
    const enum nk_colour mover = nk_game_to_move(session->game);
    enum nk_status status = NK_OK;
    if (session->settings->hints)
        status = nk_choices(session->settings->table, session->game, choices, &count, &error);
    if (!status)
        status = nk_game_play(session->game, move, &error);
    if (status == NK_E_MOVE) {
        prompt_move_error(session->rules, nk_game_position(session->game), text.s, &error, message);
        reject_line(session, "%s", message);
        return CONTINUE;
    }
    if (status) {
        report_error(&error);
        return FAIL;
    }
    session_change(session);
    session->person_has_moved = true;
    if (session->prints_typed_moves)
        printf("%s plays %s.\n", nk_colour_name(mover), text.s);
    if (session->settings->hints)
        print_comment(session, move, choices, count);
    return CONTINUE;
}

/* ---- lines from people ---- */

static enum after_turn run_line(void *context, const char *line)
{
    struct session *session = context;
    char move[PROMPT_MOVE];
    if (session->to_confirm)
        return play_commands_confirm(session, line);
    if (!*line) {
        if (session->interactive)
            print_board(session);
        return CONTINUE;
    }
    if (prompt_is_move(line, move))
        return person_moves(session, move);
    return play_commands_run(session, line);
}

static void complete(void *context, const char *typed, struct terminal_words *found)
{
    const struct session *session = context;
    if (!session_is_over(session))
        prompt_complete_moves(session->rules, nk_game_position(session->game), typed, found);
    play_commands_complete(typed, found);
}

/* Shows the position once after each change. */
static enum after_turn show(struct session *session)
{
    if (!session->changed_since_shown)
        return CONTINUE;
    session->changed_since_shown = false;
    print_board(session);
    if (session_is_over(session)) {
        print_end(session);
        return CONTINUE;
    }
    const enum nk_colour mover = nk_game_to_move(session->game);
    if (nk_game_occurrences_at(session->game, nk_game_plies(session->game)) == 2)
        print_sentence("This position has occurred twice; the third time is a draw.");
    return session->settings->hints && session_is_human(session, mover) ? print_evaluation(session)
                                                                        : CONTINUE;
}

/* Records the game after each change, so that nothing is lost whatever happens next. */
static void record(struct session *session)
{
    struct nk_error error;
    if (!session_record(session, &error) || session->has_reported_unrecorded)
        return;
    session->has_reported_unrecorded = true;
    fflush(stdout);
    nk_report(command_name, "the game continues, but is not recorded: %s", error.text);
}

/* Moves for a program, or asks a person. People see the board when it is their turn; a game between programs is shown
 * move by move. */
static enum after_turn begin_turn(void *context, char prompt[PROMPT_TEXT])
{
    struct session *session = context;
    const bool is_over = session_is_over(session);
    const enum nk_colour mover = nk_game_to_move(session->game);
    const bool automatic = !is_over && !session_is_human(session, mover);
    enum after_turn outcome = CONTINUE;
    record(session);
    if (!automatic || !session_people(session) || nk_game_plies(session->game) == 0)
        outcome = show(session);
    if (outcome != CONTINUE)
        return outcome;
    if (automatic)
        return computer_moves(session);
    if (!session_people(session))
        return LEAVE;
    snprintf(prompt, PROMPT_TEXT, "%s> ",
             session->to_confirm ? "yes or no"
             : is_over           ? "Game over"
                                 : nk_colour_name(mover));
    return CONTINUE;
}

/* Begins the game, or loads it. */
static enum after_turn begin_game(struct session *session)
{
    const struct play_settings *settings = session->settings;
    struct nk_error error;
    if (settings->load ? session_load(session, settings->load, settings->game, &error)
                       : session_begin(session, &error)) {
        report_error(&error);
        return FAIL;
    }
    if (settings->resumes && !(session->resumed_record = strdup(settings->load))) {
        report_no_memory();
        return FAIL;
    }
    return CONTINUE;
}

static enum after_turn open_terminal(struct session *session)
{
    const struct play_settings *settings = session->settings;
    if (!session_people(session))
        return CONTINUE;
    session->terminal = terminal_open(complete, session);
    if (!session->terminal) {
        report_no_memory();
        return FAIL;
    }
    session->interactive = terminal_has_person(session->terminal);
    session->prints_typed_moves = !session->interactive || !nk_system_is_terminal(stdout);
    /* Scripts that play leave no traces. */
    session->is_recorded = !settings->unrecorded && (session->interactive || settings->resumes);
    return CONTINUE;
}

int play_session(const struct play_settings *settings)
{
    struct session session = {.settings = settings,
                              .rules = nk_table_rules(settings->table),
                              .players = {settings->players[NK_BLACK], settings->players[NK_WHITE]},
                              .start = settings->start,
                              .first = settings->first,
                              .random = settings->seed,
                              .view = settings->view};
    enum after_turn outcome = begin_game(&session);
    if (outcome == CONTINUE)
        outcome = open_terminal(&session);
    if (outcome == CONTINUE)
        print_welcome(&session);
    if (outcome == CONTINUE)
        outcome = prompt_take_turns(&(struct prompt){&session, session.terminal, begin_turn, run_line});
    if (outcome == LEAVE && session.interactive && session.record && !session.changed_since_recorded &&
        !session_is_over(&session))
        print_sentence("'neutreeko play --resume' continues this game.");
    if (!nk_flush_output(command_name))
        outcome = FAIL;
    session_clear(&session);
    return outcome == FAIL || (session.has_rejected_line && !session.interactive) ? EXIT_FAILURE
                                                                                  : EXIT_SUCCESS;
}
