#include "player/commands/play.h"

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

enum nk_status session_begin(struct session *session, struct nk_error *error)
{
    nk_game_free(session->game);
    session->game = NULL;
    session->changed = true;
    return nk_game_new(session->rules, session->play->start, session->play->first, &session->game, error);
}
