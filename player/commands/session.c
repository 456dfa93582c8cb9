#include "player/commands/session.h"

#include "player/commands.h"
#include "player/commands/messages.h"
#include "player/commands/prompt.h"
#include "player/describe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char command[] = "play";

bool session_is_over(const struct session *session)
{
    return nk_game_end(session->game, NULL) != NK_END_NONE;
}

bool session_is_human(const struct session *session, enum nk_colour colour)
{
    return nk_opponent_is_human(session->play->players[colour]);
}

int session_people(const struct session *session)
{
    return session_is_human(session, NK_BLACK) + session_is_human(session, NK_WHITE);
}

/* ---- moves ---- */

static enum outcome program_moves(struct session *session)
{
    struct play *play = session->play;
    struct nk_error error;
    struct nk_move move = {0, 0};
    char text[NK_MOVE_TEXT];
    uint64_t visited = 0;
    const enum nk_colour mover = nk_game_to_move(session->game);
    printf("%s plays ", nk_colour_name(mover));
    fflush(stdout); /* it may think for a while */
    if (nk_opponent_move(play->players[mover], play->table, session->game, &play->random, &move, &visited,
                         &error)) {
        putchar('\n');
        return say_failure(error.text);
    }
    nk_move_print(session->rules, move, text);
    printf("%s.\n", text);
    if (play->stats && visited) {
        fflush(stdout);
        fprintf(stderr, "%s visited %llu positions.\n", nk_colour_name(mover), (unsigned long long)visited);
    }
    if (nk_game_play(session->game, move, &error))
        return say_failure(error.text);
    session->moved = true;
    return GO_ON;
}

static enum outcome person_moves(struct session *session, const char *typed)
{
    struct nk_option options[NK_MAX_MOVES];
    struct nk_error error;
    struct nk_move move;
    char text[NK_MOVE_TEXT];
    int count = 0;
    if (nk_move_parse(session->rules, typed, &move, &error)) {
        object("'%s' is no move: %s.", typed, error.text);
        return GO_ON;
    }
    nk_move_print(session->rules, move, text);
    const enum nk_colour mover = nk_game_to_move(session->game);
    if (session->play->hints && !session_is_over(session) &&
        nk_options(session->play->table, session->game, options, &count, &error))
        return say_failure(error.text);
    const enum nk_status status = nk_game_play(session->game, move, &error);
    if (status == NK_E_MOVE) {
        object("%s: %s.", text, error.text);
        return GO_ON;
    }
    if (status)
        return say_failure(error.text);
    session->moved = true;
    if (!session->interactive)
        printf("%s plays %s.\n", nk_colour_name(mover), text);
    if (session->play->hints)
        say_judgement(session, move, options, count);
    return GO_ON;
}

enum outcome session_begin(struct session *session)
{
    nk_game_free(session->game);
    session->game = NULL;
    struct nk_error error;
    if (nk_game_new(session->rules, session->play->start, session->play->first, &session->game, &error))
        return say_failure(error.text);
    session->moved = true;
    return GO_ON;
}

/* ---- lines ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Every move names a square with its first two characters; no word has a digit. The line is not empty. */
static bool looks_like_move(const char *line)
{
    return is_digit(line[0]) || is_digit(line[1]);
}

static enum outcome take_line(struct session *session, const char *line)
{
    if (!*line) {
        if (session->interactive)
            say_board(session);
        return GO_ON;
    }
    if (looks_like_move(line)) {
        char typed[32]; /* without blanks; no move is so long */
        size_t length = 0;
        for (; *line && length < sizeof typed - 1; line++)
            if (*line != ' ')
                typed[length++] = *line;
        typed[length] = '\0';
        return person_moves(session, typed);
    }
    return words_take(session, line);
}

/* Whether a move's text begins as a person has begun to type it, with the hyphen or without. */
static bool move_begins(const char move[NK_MOVE_TEXT], const char *begun)
{
    const char bare[] = {move[0], move[1], move[3], move[4], '\0'};
    return words_begin(move, begun, strlen(begun)) || words_begin(bare, begun, strlen(begun));
}

static void complete(void *context, const char *begun, struct terminal_words *found)
{
    const struct session *session = context;
    struct nk_move moves[NK_MAX_MOVES];
    char move[NK_MOVE_TEXT];
    const int count = session_is_over(session)
                          ? 0
                          : nk_position_moves(session->rules, nk_game_position(session->game), moves);
    for (int m = 0; m < count; m++) {
        nk_move_print(session->rules, moves[m], move);
        if (move_begins(move, begun))
            snprintf(found->words[found->count++], TERMINAL_WORD, "%s", move);
    }
    words_complete(begun, found);
}

static enum outcome ask(struct session *session)
{
    const char *line;
    char prompt[16];
    snprintf(prompt, sizeof prompt, "%s> ",
             session_is_over(session) ? "Game over" : nk_colour_name(nk_game_to_move(session->game)));
    switch (terminal_read(session->terminal, prompt, &line)) {
    case TERMINAL_GOT_LINE:
        return take_line(session, line);
    case TERMINAL_END:
        if (session->interactive)
            putchar('\n');
        return LEAVE;
    case TERMINAL_FAILED:
        break;
    }
    return say_failure(strerror(errno));
}

/* Shows what has changed, once. */
static enum outcome show(struct session *session)
{
    if (!session->moved)
        return GO_ON;
    session->moved = false;
    say_board(session);
    if (session_is_over(session)) {
        say_end(session);
        return GO_ON;
    }
    const enum nk_colour mover = nk_game_to_move(session->game);
    if (nk_game_occurrences(session->game, nk_game_position(session->game), mover) == 2)
        say("This position is here for the second time; the third makes a draw.");
    return session->play->hints && session_is_human(session, mover) ? say_outlook(session) : GO_ON;
}

/* People see the board when it is their turn; a game between programs is shown move by move. */
static enum outcome take_turn(struct session *session)
{
    const bool program =
        !session_is_over(session) && !session_is_human(session, nk_game_to_move(session->game));
    enum outcome outcome = GO_ON;
    if (!program || !session_people(session) || nk_game_plies(session->game) == 0)
        outcome = show(session);
    if (!flush_output(command))
        outcome = FAIL;
    if (outcome != GO_ON)
        return outcome;
    if (program)
        return program_moves(session);
    return session_people(session) ? ask(session) : LEAVE;
}

int play_session(struct play *play)
{
    struct session session = {.play = play, .rules = nk_table_rules(play->table)};
    if (session_people(&session)) {
        session.terminal = terminal_open(complete, &session);
        if (!session.terminal) {
            (void)say_failure("out of memory");
            return EXIT_FAILURE;
        }
        session.interactive = terminal_is_interactive(session.terminal);
    }
    enum outcome outcome = session_begin(&session);
    if (outcome == GO_ON)
        say_welcome(&session);
    while (outcome == GO_ON)
        outcome = take_turn(&session);
    if (!flush_output(command))
        outcome = FAIL;
    terminal_close(session.terminal);
    nk_game_free(session.game);
    return outcome == FAIL ? EXIT_FAILURE : EXIT_SUCCESS;
}
