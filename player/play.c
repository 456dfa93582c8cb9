/* neutreeko play: a game at the terminal. A session takes turns: begin_turn moves for a program or shows the board and
 * asks a person; what the person types is a move, which person_moves plays, or a command (play_commands.c). */

#include "player/play.h"

#include "common/base/base.h"
#include "common/system/system.h"
#include "player/player.h"
#include "player/terminal/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char about[] =
    "Play Neutreeko at the terminal, by default as Black against an opponent that\n"
    "can be beaten. Type moves as b1-c1 (also b1c1 or 1B1C); 'help' lists the\n"
    "commands. Threefold repetition is a draw; hints and the perfect player take the\n"
    "history of the game into account.\n"
    "\n"
    "Examples:\n"
    "  neutreeko play --against easy    play a stronger opponent; also medium, hard\n"
    "                                   and perfect\n"
    "  neutreeko play --side white      play White\n"
    "  neutreeko play --hints           play with a comment on each move\n"
    "  neutreeko play --against human   play between two people\n"
    "  neutreeko play --start fair:17   play from a fair start (docs/GAME.md)\n"
    "  neutreeko play --resume          continue the last game\n"
    "  neutreeko play --load match.txt --game 2\n"
    "                                   continue a game of an archive\n"
    "  printf '%s\\n' b1-c1 d1-e1 | neutreeko play\n"
    "                                   read moves from a pipe\n";

static const char notes[] = "\n"
                            "Every game that a person plays at a terminal is recorded after each move, in a\n"
                            "file of its own in $XDG_STATE_HOME/neutreeko/games (default:\n"
                            "~/.local/state/neutreeko/games). 'neutreeko review' summarises these files.\n"
                            "\n"
                            "Exit status: 0 after a normal exit, 1 for a failure, or if a line that was not\n"
                            "typed at a terminal was an illegal move or could not be carried out, 2 for\n"
                            "incorrect usage, 130 after Ctrl-C.\n";

static void print_list(void)
{
    print_opponents("Players", true);
    prompt_print_help(play_commands);
}

/* The weakest that people are offered: the first game should not be lost in ten moves. */
static const char standard_opponent[] = "beginner";

/* The command line, with NULL for what was not given. */
static struct {
    const char *against, *start;
    int side;                      /* of the person, or negative */
    struct nk_opponent players[2]; /* by colour, as follows from `against` and `side` */
    const char *load;              /* the file to begin with */
    uint64_t game;                 /* the number of the game in this file, or 0 for the only one */
    bool resumes;                  /* `load` is a game from the state directory, where it is continued */
    bool unrecorded;               /* games are not recorded in the state directory */
    bool hints;
} request = {.side = -1};

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    NK_TEXT("against", "PLAYER", "Play against this opponent|, one of the players below", standard_opponent,
            &request.against),
    {.name = "side",
     .argument = "black|white",
     .help = "Play this side; Black moves first",
     .fallback = "black",
     .choice = &request.side},
    NK_TEXT("start", START_WORDS,
            "Begin at POSITION|, at the start of the game (standard), or at a random position: " START_ABOUT,
            "standard", &request.start),
    {.name = "load",
     .argument = "FILE",
     .help = "Continue the game in FILE|, as written by 'save' at the prompt, or in standard input for -",
     .excludes = "start",
     .text = &request.load},
    {.name = "game",
     .argument = "N",
     .help = "Continue the N-th game of --load FILE",
     .fallback = "the only game",
     .number = &request.game,
     .least = 1,
     .most = UINT32_MAX},
    {.name = "resume",
     .help = "Continue the last unfinished game| that was played at a terminal",
     .excludes = "start load",
     .flag = &request.resumes},
    NK_FLAG("no-record", "Do not record the game", &request.unrecorded),
    SEED_OPTION,
    OUTPUT_OPTIONS,
    NK_FLAG("hints", "Comment on each position and on each move", &request.hints),
    BOARD_STYLE_OPTION,
    COLOR_OPTION,
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

/* The side of the person. */
static enum nk_colour side_of_person(void)
{
    return request.side == NK_WHITE ? NK_WHITE : NK_BLACK;
}

static int check(int argc, char **argv)
{
    const enum nk_colour side = side_of_person();
    struct nk_error error;
    (void)argc, (void)argv;
    if (request.game && !request.load)
        return nk_usage_error("--game requires --load");
    request.players[side] = nk_opponent_human;
    if (nk_opponent_parse(request.against ? request.against : standard_opponent,
                          &request.players[nk_colour_other(side)], &error))
        return nk_usage_error("%s", error.text);
    return EXIT_SUCCESS;
}

/* ---- the session ---- */

bool session_is_over(const struct session *session)
{
    return nk_game_end(session->game, NULL) != NK_END_NONE;
}

bool session_is_person(const struct session *session, enum nk_colour colour)
{
    return nk_opponent_is_human(session->players[colour]);
}

int session_people(const struct session *session)
{
    return session_is_person(session, NK_BLACK) + session_is_person(session, NK_WHITE);
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
    const enum nk_status status = nk_game_new(session->rules, session->start, session->first, &game, error);
    if (status)
        return status;
    set_date_to_today(headers.date);
    set_game(session, game, &headers);
    return NK_OK;
}

/* Seats a person on the side that was given or that the players of a record leave, against the opponent that was given
 * or that is one of these players. */
static void seat_person(const struct session *session, enum nk_colour to_move, struct nk_opponent players[2])
{
    const enum nk_colour side = side_of_person();
    const bool people[] = {nk_opponent_is_human(players[NK_BLACK]), nk_opponent_is_human(players[NK_WHITE])};
    struct nk_opponent opponent = session->players[nk_colour_other(side)];
    enum nk_colour person = side;
    if (request.side < 0)
        person = people[NK_BLACK] == people[NK_WHITE] ? to_move : people[NK_BLACK] ? NK_BLACK : NK_WHITE;
    if (!request.against && !people[nk_colour_other(person)])
        opponent = players[nk_colour_other(person)];
    else if (!request.against && !people[person])
        opponent = players[person];
    players[person] = nk_opponent_human;
    players[nk_colour_other(person)] = opponent;
}

/* Sets the players to those of a record, but for those that the command line gives if this is the first game: another
 * game may bring other players. A name that is not one of an opponent is that of a person. If both are programs, nobody
 * would have a turn: the players stay as they are, or as they are by default. */
static void set_players(struct session *session, const struct nk_headers *headers, enum nk_colour to_move)
{
    struct nk_opponent players[2];
    for (int side = NK_BLACK; side <= NK_WHITE; side++)
        if (nk_opponent_parse(headers->players[side], &players[side], NULL))
            players[side] = nk_opponent_human;
    const bool has_players = *headers->players[NK_BLACK] || *headers->players[NK_WHITE];
    const bool people = nk_opponent_is_human(players[NK_BLACK]) || nk_opponent_is_human(players[NK_WHITE]);
    const bool seated = !session->game && (request.side >= 0 || request.against);
    if (seated)
        seat_person(session, to_move, players);
    if (seated || (has_players && people))
        memcpy(session->players, players, sizeof players);
}

enum nk_status session_load(struct session *session, const char *path, uint64_t number,
                            struct nk_error *error)
{
    struct nk_headers headers;
    struct nk_game *game;
    bool has_more;
    const enum nk_status status =
        archive_single(path, session->rules, number, &headers, &game, &has_more, error);
    if (status)
        return status;
    set_players(session, &headers, nk_game_to_move(game));
    session->start = nk_game_position_at(game, 0);
    session->first = nk_game_to_move_at(game, 0);
    /* From here on it is a game of this program. */
    (void)snprintf(headers.event, sizeof headers.event, "%s", NK_EVENT " game");
    headers.outcome = NK_OUTCOME_OPEN;
    set_game(session, game, &headers);
    if (*headers.warning)
        nk_report("%s", headers.warning);
    if (has_more)
        nk_report("%s%s: only the moves are loaded and saved, not comments, marks and variations",
                  nk_path_dots(path), nk_path_end(path));
    *session->headers.warning = '\0';
    if (nk_game_end(game, NULL) == NK_END_STATED) { /* the board shows no reason not to play on */
        print_sentence("%s The game continues.", nk_end_text(game).s);
        nk_game_undo(game);
    }
    return NK_OK;
}

char *session_text(const struct session *session)
{
    struct nk_headers headers = session->headers;
    struct nk_opponent program;
    for (int side = NK_BLACK; side <= NK_WHITE; side++) {
        char *name = headers.players[side]; /* in the record that was loaded: that of a person remains */
        const bool has_name = *name && nk_opponent_parse(name, &program, NULL);
        if (!has_name || !nk_opponent_is_human(session->players[side]))
            nk_header_set(name, nk_opponent_name(session->players[side]).s);
    }
    return nk_record_text(session->game, &headers);
}

/* Records the game in the state directory after each change, so that nothing is lost whatever happens next. The first
 * time that this fails, a person gets the reason. */
static void record(struct session *session)
{
    const bool again = session->record; /* under a name that no other process takes */
    enum nk_status status = NK_OK;
    struct nk_error error;
    char *text = NULL;
    if (!session->changed_since_recorded || !session->is_recorded ||
        (!session->record && !nk_game_plies(session->game)))
        return;
    if (!session->record)
        status = recorded_games_new_path(&session->record, &error);
    if (!status && !(text = session_text(session)))
        status = nk_fail_memory(&error);
    if (!status)
        status = nk_file_write(session->record, again, text, strlen(text), &error);
    free(text);
    if (!status) {
        session->changed_since_recorded = false;
        if (session->resumed_record)
            (void)nk_system_remove(session->resumed_record);
        free(session->resumed_record);
        session->resumed_record = NULL;
    } else if (!session->has_reported_unrecorded) {
        session->has_reported_unrecorded = true;
        nk_report("the game continues, but is not recorded: %s", error.text);
    }
}

/* ---- messages ---- */

void reject_line(struct session *session, const char *format, ...)
{
    va_list arguments;
    session->has_rejected_line = true;
    va_start(arguments, format);
    print_sentence_to(stderr, format, arguments);
    va_end(arguments);
}

bool reject_if_over(struct session *session)
{
    const bool is_over = session_is_over(session);
    if (is_over)
        reject_line(session, "The game is over.");
    return is_over;
}

void print_board(const struct session *session)
{
    putchar('\n');
    display_game(session->game, nk_game_plies(session->game), session->view);
    putchar('\n');
}

void print_rules(const struct session *session)
{
    static const char *const numbers[] = {"no", "one", "two", "three", "four", "five"};
    static const char *const lines[] = {
        [NK_WIN_LINE] = "unbroken line in any direction",
        [NK_WIN_ORTHOGONAL] = "unbroken line, not diagonal",
        [NK_WIN_DIAGONAL] = "unbroken diagonal line",
    };
    const struct nk_board *board = &session->rules->board;
    char goal[SENTENCE];
    if (board->win == NK_WIN_CENTRE)
        snprintf(goal, sizeof goal, "a piece on the centre square");
    else if (board->win == NK_WIN_EQUIDISTANT)
        snprintf(goal, sizeof goal, "one of your pieces exactly halfway between the other two");
    else
        snprintf(goal, sizeof goal, "%s of your pieces in an %s", numbers[board->row_length],
                 lines[board->win]);
    print_sentence(
        "Neutreeko: you win with %s. A piece slides in any of eight directions until it hits the edge or "
        "another piece. Threefold repetition is a draw.",
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
        const enum nk_colour person = session_is_person(session, NK_BLACK) ? NK_BLACK : NK_WHITE;
        print_sentence("You play %s (%s) against %s.", nk_colour_name(person),
                       display_piece_text(person, unicode), names[nk_colour_other(person)].s);
    } else {
        print_sentence("Black (%s): %s. White (%s): %s.", display_piece_text(NK_BLACK, unicode),
                       names[NK_BLACK].s, display_piece_text(NK_WHITE, unicode), names[NK_WHITE].s);
    }
}

void print_end(const struct session *session)
{
    static const char *const numbers[] = {"No", "One", "Two", "Three", "Four", "Five"};
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(session->game, &winner);
    const bool in_line = end == NK_END_WON && nk_win_has_lines(session->rules->board.win);
    const bool won = end == NK_END_WON && session->person_has_moved && session_people(session) == 1 &&
                     session_is_person(session, winner);
    print_sentence("%s%s%s%s", in_line ? numbers[session->rules->board.row_length] : "",
                   in_line ? " in a row: " : "", nk_end_text(session->game).s,
                   won ? " Congratulations!" : "");
    if (!session->interactive)
        return;
    if (session->person_has_moved && (end == NK_END_WON || end == NK_END_RESIGNED) &&
        session_people(session) == 1 && strcmp(nk_opponent_name(session->players[winner]).s, "perfect") == 0)
        print_sentence("This opponent never makes a mistake; try 'against easy'.");
    const bool begun = nk_game_plies(session->game) || end >= NK_END_RESIGNED;
    print_sentence(begun ? "Next: 'review', 'undo', 'new', 'save FILE' or 'quit'."
                         : "Next: 'new', 'load FILE' or 'quit'.");
}

bool all_lose_equally(const struct nk_choice choices[], int count)
{
    return count > 1 && choices[0].value.result == NK_LOSS &&
           !nk_value_better(choices[0].value, choices[count - 1].value);
}

/* For --hints: prints the result of the position and how many moves keep it. */
static enum next_step print_evaluation(const struct session *session)
{
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_error error;
    int count, keep = 0;
    if (nk_choices(session->table, session->game, choices, &count, &error))
        return prompt_fail(&error);
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

/* For --hints: prints a comment on a move that was played. `choices` are those it was chosen from. */
static void print_comment(const struct session *session, struct nk_move move,
                          const struct nk_choice choices[], int count)
{
    const struct nk_value before = choices[0].value;
    const struct nk_value after = choices[nk_move_find(choices, sizeof *choices, count, move)].value;
    const struct nk_text played = nk_move_text(session->rules, move);
    const struct nk_text best = nk_move_text(session->rules, choices[0].move);
    const struct nk_text value = nk_value_text(after);
    if (after.result != before.result)
        print_sentence("%s: %s doesn't keep the %s: it %s. Best: %s. ('undo' takes the move back.)",
                       nk_mark_of(before.result, after.result) == NK_MARK_BLUNDER ? "Blunder" : "Mistake",
                       played.s, nk_result_name(before.result), value.s, best.s);
    else if (nk_value_better(before, after))
        print_sentence("%s %s; %s %s.", played.s, value.s, best.s,
                       before.result == NK_WIN ? "wins faster" : "loses later");
    else if (choices[count - 1].value.result != before.result && !session_is_over(session))
        print_sentence("%s keeps the %s.", played.s, nk_result_name(before.result));
}

/* ---- turns ---- */

static enum next_step computer_moves(struct session *session)
{
    struct nk_error error;
    struct nk_move move = {0, 0};
    const enum nk_colour mover = nk_game_to_move(session->game);
    printf("%s plays ", nk_colour_name(mover));
    fflush(stdout); /* the search may take a while */
    if (nk_opponent_choose(session->players[mover], session->table, session->game, &session->random, NULL,
                           &move, &error) ||
        nk_game_play(session->game, move, &error)) {
        putchar('\n');
        return prompt_fail(&error);
    }
    printf("%s.\n", nk_move_text(session->rules, move).s);
    session_change(session);
    return CONTINUE;
}

/* Plays the move that a person has typed, after its check, and answers it. */
static enum next_step person_moves(struct session *session, const char *typed)
{
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_error error;
    struct nk_move move;
    char message[PROMPT_MESSAGE];
    int count = 0; /* of the choices, which only --hints needs */
    if (reject_if_over(session))
        return CONTINUE;
    const enum nk_colour mover = nk_game_to_move(session->game);
    enum nk_status status = nk_move_parse(session->rules, typed, &move, &error);
    const struct nk_text text = status ? nk_text_of("%s", typed) : nk_move_text(session->rules, move);
    if (!status && request.hints)
        status = nk_choices(session->table, session->game, choices, &count, &error);
    if (!status)
        status = nk_game_play(session->game, move, &error);
    if (status == NK_E_SYNTAX || status == NK_E_MOVE) {
        reject_line(
            session, "%s",
            prompt_move_error(session->rules, nk_game_position(session->game), text.s, &error, message));
        return CONTINUE;
    }
    if (status)
        return prompt_fail(&error);
    session_change(session);
    session->person_has_moved = true;
    if (session->prints_typed_moves)
        printf("%s plays %s.\n", nk_colour_name(mover), text.s);
    if (count)
        print_comment(session, move, choices, count);
    return CONTINUE;
}

static enum next_step carry_out(void *context, const char *line)
{
    struct session *session = context;
    char move[TERMINAL_LINE];
    if (!session->to_confirm && prompt_is_move(line, move))
        return person_moves(session, move);
    return play_commands_run(session, line);
}

/* Moves for a program, or asks a person, who sees the board when it is their turn. */
static enum next_step begin_turn(void *context, char prompt[PROMPT_TEXT])
{
    struct session *session = context;
    const bool is_over = session_is_over(session);
    const enum nk_colour mover = nk_game_to_move(session->game);
    const bool automatic = !is_over && !session_is_person(session, mover);
    const int plies = nk_game_plies(session->game);
    record(session);
    if (session->changed_since_shown && (!automatic || !plies)) {
        session->changed_since_shown = false;
        print_board(session);
        if (is_over)
            print_end(session);
        else if (nk_game_occurrences_at(session->game, plies) == 2)
            print_sentence("This position has occurred twice; the third time is a draw.");
        if (!is_over && !automatic && request.hints && print_evaluation(session) == FAIL)
            return FAIL;
    }
    if (automatic)
        return computer_moves(session);
    snprintf(prompt, PROMPT_TEXT, "%s> ",
             session->to_confirm ? "yes or no"
             : is_over           ? "Game over"
                                 : nk_colour_name(mover));
    return CONTINUE;
}

/* ---- the command ---- */

static void complete(void *context, const char *typed, struct terminal_words *found)
{
    const struct session *session = context;
    if (!session_is_over(session))
        prompt_complete_moves(session->rules, nk_game_position(session->game), typed, found);
    prompt_complete_commands(play_commands, typed, found);
}

/* Opens the terminal for people and welcomes them. The game has begun. */
static enum next_step welcome(struct session *session)
{
    session->terminal = terminal_open(complete, session);
    if (!session->terminal) {
        report_no_memory();
        return FAIL;
    }
    session->interactive = terminal_has_person(session->terminal);
    session->prints_typed_moves = !session->interactive || !nk_system_is_terminal(stdout);
    /* Scripts that play leave no traces. */
    session->is_recorded = !request.unrecorded && (session->interactive || request.resumes);
    if (session->interactive)
        print_rules(session);
    print_players(session);
    if (session_people(session) == 1)
        print_seed();
    if (session->interactive)
        print_invitation(session->rules, nk_game_position(session->game), NULL);
    return CONTINUE;
}

/* Plays with people at the terminal or through a pipe until they leave. Returns the exit status. */
static int play(struct session *session)
{
    struct nk_error error;
    enum nk_status status = request.load ? session_load(session, request.load, request.game, &error)
                                         : session_begin(session, &error);
    if (!status && request.resumes && !(session->resumed_record = strdup(request.load)))
        status = nk_fail_memory(&error);
    if (status)
        report_error(&error);
    enum next_step step = status ? FAIL : welcome(session);
    if (step == CONTINUE)
        step = prompt_take_turns(&(struct prompt){session, session->terminal, begin_turn, carry_out});
    if (step == LEAVE && session->interactive && session->record && !session->changed_since_recorded &&
        !session_is_over(session))
        print_sentence("'neutreeko play --resume' continues this game.");
    if (!nk_flush_output())
        step = FAIL;
    terminal_close(session->terminal);
    free_game(session);
    return step == FAIL || (session->has_rejected_line && !session->interactive) ? EXIT_FAILURE
                                                                                 : EXIT_SUCCESS;
}

/* Whether a record can be continued: not if its game is over. One that cannot be read is not passed over in silence. */
static bool can_be_resumed(const char *path, const void *context)
{
    struct nk_headers headers;
    struct nk_game *game;
    bool has_more;
    if (archive_single(path, nk_table_rules(context), 1, &headers, &game, &has_more, NULL))
        return true;
    const bool over = nk_game_end(game, NULL) != NK_END_NONE;
    nk_game_free(game);
    return !over;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    struct session session = {.table = table,
                              .rules = nk_table_rules(table),
                              .players = {request.players[NK_BLACK], request.players[NK_WHITE]},
                              .random = common_options.seed,
                              .view = output_view()};
    int status = EXIT_SUCCESS;
    char *resumed = NULL; /* the last unfinished game of the state directory */
    (void)argc, (void)argv;
    if (request.resumes && !(request.load = resumed = recorded_games_latest(can_be_resumed, table))) {
        char *directory = recorded_games_directory();
        if (!directory && errno == ENOMEM)
            report_no_memory();
        else
            nk_report("no game to resume: no unfinished one is recorded in %s",
                      directory ? directory : "the state directory, because HOME is not set");
        free(directory);
        return EXIT_FAILURE;
    }
    if (!request.load)
        status = position_read_start(table, request.start, &session.start, &session.first);
    if (!status)
        status = play(&session);
    free(resumed);
    return status;
}

const struct command play_command = {
    .line = {"neutreeko play", " [OPTION]...", about, options, notes, .print_list = print_list},
    .check = check,
    .reads_input = ALWAYS,
    .run = run};
