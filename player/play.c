#include "player/play.h"

#include "common/system/system.h"
#include "player/player.h"
#include "player/terminal/terminal.h"

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

/* neutreeko play: a game at the terminal, or between programs. */

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
    "  neutreeko play --black rules --white random --seed 1\n"
    "                                   print a game between two programs\n"
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
    play_commands_print();
}

/* The weakest that people are offered: the first game should not be lost in ten moves. */
static const char standard_opponent[] = "beginner";

static struct play_settings settings;

static const char *names[2], *against, *start; /* NULL: not given */
static int side = -1;                          /* of the person; negative: not given */

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    NK_TEXT("against", "PLAYER", "Play against this opponent, one of the players below", standard_opponent,
            &against),
    {.name = "side",
     .argument = "black|white",
     .help = "Play this side; Black moves first",
     .fallback = "black",
     .choice = &side},
    {.name = "black",
     .argument = "PLAYER",
     .help = "Set the player for Black, with --white for a game between two programs",
     .fallback = "human",
     .excludes = "against side",
     .text = &names[NK_BLACK]},
    {.name = "white",
     .argument = "PLAYER",
     .help = "Set the player for White",
     .fallback = "human",
     .excludes = "against side",
     .text = &names[NK_WHITE]},
    NK_TEXT("start", "POSITION",
            "Begin at this position, in the notation of 'neutreeko query'; fair is a random fair start",
            "the start of the game", &start),
    {.name = "load",
     .argument = "FILE",
     .help = "Continue the game in FILE, as written by 'save' at the prompt, or in standard input for -",
     .excludes = "start",
     .text = &settings.load},
    {.name = "game",
     .argument = "N",
     .help = "Continue the N-th game of --load FILE",
     .fallback = "the only game",
     .number = &settings.game,
     .least = 1,
     .most = UINT32_MAX},
    {.name = "resume",
     .help = "Continue the last unfinished game that was played at a terminal",
     .excludes = "start load",
     .flag = &settings.resumes},
    NK_FLAG("no-record", "Do not record the game", &settings.unrecorded),
    SEED_OPTION,
    OUTPUT_OPTIONS,
    NK_FLAG("hints", "Comment on each position and on each move", &settings.hints),
    NK_FLAG("flip", "Show the board from White's side", &settings.view.flip),
    NK_FLAG("stats", "Print to standard error how many positions a search visited", &settings.stats),
    BOARD_STYLE_OPTION,
    COLOR_OPTION,
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

/* Sets the player of each colour to what the options request. Returns the exit status. */
static int set_given_players(void)
{
    struct nk_error error;
    const char *given[2] = {"human", "human"};
    settings.side = side == NK_WHITE ? NK_WHITE : NK_BLACK;
    settings.named.side = side >= 0;
    settings.named.opponent = against != NULL;
    if (!names[NK_BLACK] && !names[NK_WHITE])
        given[nk_colour_other(settings.side)] = against ? against : standard_opponent;
    for (int colour = NK_BLACK; colour <= NK_WHITE; colour++) {
        settings.named.colours[colour] = names[colour] != NULL;
        if (names[colour])
            given[colour] = names[colour];
        if (nk_opponent_parse(given[colour], &settings.players[colour], &error))
            return nk_usage_error(command_name, "%s", error.text);
    }
    return EXIT_SUCCESS;
}

static int check(int argc, char **argv)
{
    (void)argc, (void)argv;
    if (settings.game && !settings.load)
        return nk_usage_error(command_name, "--game requires --load");
    return set_given_players();
}

/* Whether a record can be continued: not if its game is over. One that cannot be read is not passed over in silence. */
static bool can_be_resumed(const char *path, const void *context)
{
    struct nk_headers headers;
    struct nk_game *game;
    if (nk_archive_single(path, nk_table_rules(context), 1, &headers, &game, NULL))
        return true;
    const bool over = nk_game_end(game, NULL) != NK_END_NONE;
    nk_game_free(game);
    return !over;
}

/* Plays the last unfinished game of the state directory. */
static int resume(void)
{
    char *directory = recorded_games_directory(),
         *latest = recorded_games_latest(can_be_resumed, settings.table);
    int status = EXIT_FAILURE;
    settings.load = latest;
    if (latest)
        status = play_session(&settings);
    else
        nk_report(command_name, "no game to resume: no unfinished one is recorded in %s",
                  directory ? directory : "the state directory, because HOME is not set");
    free(directory);
    free(latest);
    return status;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    (void)argc, (void)argv;
    settings.table = table;
    settings.seed = common_options.seed;
    const bool flip = settings.view.flip;
    settings.view = board_view();
    settings.view.flip = flip;
    const int status = settings.load || settings.resumes
                           ? EXIT_SUCCESS
                           : position_read_start(table, start, &settings.start, &settings.first);
    if (status)
        return status;
    if (settings.resumes)
        return resume();
    return play_session(&settings);
}

static bool reads_input(int argc, char **argv)
{
    (void)argc, (void)argv;
    return nk_opponent_is_human(settings.players[NK_BLACK]) ||
           nk_opponent_is_human(settings.players[NK_WHITE]) ||
           (settings.load && nk_file_is_standard(settings.load));
}

const struct command play_command = {
    .line = {"neutreeko play", " [OPTION]...", about, options, notes, .print_list = print_list},
    .check = check,
    .reads_input = reads_input,
    .run = run};
