#include "player/play/session.h"

#include "common/system/file.h"
#include "player/archive.h"
#include "player/play/recorded_games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool session_is_over(const struct session *session)
{
    return nk_game_end(session->game, NULL) != NK_END_NONE;
}

bool session_is_human(const struct session *session, enum nk_colour colour)
{
    return nk_opponent_is_human(session->players[colour]);
}

int session_people(const struct session *session)
{
    return session_is_human(session, NK_BLACK) + session_is_human(session, NK_WHITE);
}

void session_change(struct session *session)
{
    session->changed_since_shown = session->changed_since_recorded = true;
    session->hints = 0;
}

/* Frees the game and the names of its files. */
static void free_game(struct session *session)
{
    nk_game_free(session->game);
    free(session->record);
    free(session->resumed_record);
    free(session->saved_as);
}

/* Takes ownership of a game, which gets a record of its own as soon as it changes. */
static void set_game(struct session *session, struct nk_game *game, const struct nk_headers *headers)
{
    free_game(session);
    session->record = session->resumed_record = session->saved_as = NULL;
    *session->proposed_name = '\0';
    session->game = game;
    session->headers = *headers;
    session->person_has_moved = false;
    session_change(session);
    session->changed_since_recorded = false;
}

enum nk_status session_begin(struct session *session, struct nk_error *error)
{
    struct nk_headers headers = {.event = NK_EVENT " game"};
    struct nk_game *game;
    struct tm today;
    const time_t now = time(NULL);
    const enum nk_status status = nk_game_new(session->rules, session->start, session->first, &game, error);
    if (status)
        return status;
    if (localtime_r(&now, &today))
        (void)strftime(headers.date, sizeof headers.date, "%Y.%m.%d", &today);
    set_game(session, game, &headers);
    return NK_OK;
}

/* Seats a person on the side that was named or that the players of a record leave, against the opponent that was named
 * or that is one of these players. */
static void seat_person(const struct session *session, const struct named_players *named,
                        enum nk_colour to_move, struct nk_opponent players[2])
{
    const enum nk_colour side = session->settings->side;
    const bool people[] = {nk_opponent_is_human(players[NK_BLACK]), nk_opponent_is_human(players[NK_WHITE])};
    struct nk_opponent opponent = session->players[nk_colour_other(side)];
    enum nk_colour person = side;
    if (!named->side)
        person = people[NK_BLACK] == people[NK_WHITE] ? to_move : people[NK_BLACK] ? NK_BLACK : NK_WHITE;
    if (!named->opponent && !people[nk_colour_other(person)])
        opponent = players[nk_colour_other(person)];
    else if (!named->opponent && !people[person])
        opponent = players[person];
    (void)nk_opponent_parse("human", &players[person], NULL);
    players[nk_colour_other(person)] = opponent;
}

/* Sets the players to those of a record, but for those that the command line names if this is the first game: another
 * game may bring other players. A name that is not one of an opponent is that of a person. If both are programs, nobody
 * would have a turn: the players stay as they are, or as they are by default. */
static void set_players(struct session *session, const struct nk_headers *headers, enum nk_colour to_move)
{
    static const struct named_players nobody;
    const struct named_players *named = session->game ? &nobody : &session->settings->named;
    struct nk_opponent players[2];
    for (int side = NK_BLACK; side <= NK_WHITE; side++)
        if (named->colours[side])
            players[side] = session->players[side];
        else if (nk_opponent_parse(headers->players[side], &players[side], NULL))
            (void)nk_opponent_parse("human", &players[side], NULL);
    const bool has_players = *headers->players[NK_BLACK] || *headers->players[NK_WHITE];
    const bool people = nk_opponent_is_human(players[NK_BLACK]) || nk_opponent_is_human(players[NK_WHITE]);
    const bool seated = named->side || named->opponent;
    if (seated)
        seat_person(session, named, to_move, players);
    if (seated || (has_players && (people || named->colours[NK_BLACK] || named->colours[NK_WHITE])))
        memcpy(session->players, players, sizeof players);
}

enum nk_status session_load(struct session *session, const char *path, uint64_t number,
                            struct nk_error *error)
{
    struct nk_headers headers;
    struct nk_game *game;
    const enum nk_status status = nk_archive_single(path, session->rules, number, &headers, &game, error);
    if (status)
        return status;
    set_players(session, &headers, nk_game_to_move(game));
    session->start = nk_game_position_at(game, 0);
    session->first = nk_game_to_move_at(game, 0);
    /* From here on it is a game of this program. */
    (void)snprintf(headers.event, sizeof headers.event, "%s", NK_EVENT " game");
    headers.outcome = NK_OUTCOME_OPEN;
    set_game(session, game, &headers);
    return NK_OK;
}

char *session_text(const struct session *session)
{
    struct nk_headers headers = session->headers;
    for (int side = NK_BLACK; side <= NK_WHITE; side++)
        nk_header_set(headers.players[side], nk_opponent_name(session->players[side]).s);
    return nk_record_text(session->game, &headers);
}

enum nk_status session_record(struct session *session, struct nk_error *error)
{
    const bool again = session->record; /* under a name that no other process takes */
    enum nk_status status = NK_OK;
    if (!session->changed_since_recorded || !session->is_recorded ||
        (!session->record && !nk_game_plies(session->game)))
        return NK_OK;
    if (!session->record)
        status = recorded_games_new_path(&session->record, error);
    if (status)
        return status;
    char *text = session_text(session);
    status = text ? nk_file_write(session->record, again, text, strlen(text), error) : nk_fail_memory(error);
    free(text);
    if (status)
        return status;
    session->changed_since_recorded = false;
    if (session->resumed_record)
        (void)unlink(session->resumed_record);
    free(session->resumed_record);
    session->resumed_record = NULL;
    return NK_OK;
}

void session_clear(struct session *session)
{
    terminal_close(session->terminal);
    free_game(session);
}
