#include "player/play.h"

#include "common/base/base.h"
#include "common/game/game.h"
#include "player/player.h"
#include "player/terminal/terminal.h"

#include <stdarg.h>
#include <stdio.h>
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

/* ---- turns ---- */

static enum after_turn ask(const struct prompt *prompt, const char *text)
{
    struct nk_error error;
    const char *line;
    if (terminal_read(prompt->terminal, text, &line, &error)) {
        report_error(&error);
        return FAIL;
    }
    if (line)
        return prompt->carry_out(prompt->context, line);
    if (terminal_has_person(prompt->terminal))
        putchar('\n');
    return LEAVE;
}

enum after_turn prompt_take_turns(const struct prompt *prompt)
{
    enum after_turn outcome = CONTINUE;
    while (outcome == CONTINUE) {
        char text[PROMPT_TEXT] = "";
        outcome = prompt->begin_turn(prompt->context, text);
        if (!nk_flush_output(command_name))
            outcome = FAIL;
        if (outcome == CONTINUE && *text)
            outcome = ask(prompt, text);
    }
    return outcome;
}

/* ---- moves ---- */

bool prompt_is_move(const char *line, char move[PROMPT_MOVE])
{
    size_t length = 0; /* longer than any move if it does not fit */
    char normalised[TERMINAL_LINE];
    const size_t typed = strlen(line);
    if (typed >= sizeof normalised)
        return false;
    normalised[nk_fold_unicode_to_ascii(line, typed, normalised)] = '\0';
    line = normalised + strspn(normalised, " ");
    /* A digit is among the first two characters of every move and of no command. */
    if (!*line || (!nk_is_digit(line[0]) && !nk_is_digit(line[1])))
        return false;
    for (; *line && length < PROMPT_MOVE - 1; line++)
        if (*line != ' ')
            move[length++] = *line;
    move[length] = '\0';
    return true;
}

/* The square that a text is the name of, as b1 or 1b, perhaps with a hyphen behind it: the first half of a move.
 * Negative for any other text. */
static int half_move(const struct nk_rules *rules, const char *typed)
{
    const int squares = rules->board.width * rules->board.height;
    const size_t length = strlen(typed);
    const bool is_half = length == 2 || (length == 3 && typed[2] == '-');
    for (int square = 0; square < squares && is_half; square++) {
        const struct nk_text name = nk_square_text(rules, square);
        const char turned[] = {name.s[1], name.s[0], '\0'};
        if (nk_has_prefix(name.s, typed, 2) || nk_has_prefix(turned, typed, 2))
            return square;
    }
    return -1;
}

void prompt_move_error(const struct nk_rules *rules, struct nk_position position, const char *typed,
                       const struct nk_error *error, char message[PROMPT_MESSAGE])
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(rules, position, moves), square = half_move(rules, typed);
    int example = count - 1; /* a move of this piece, if it has any */
    while (example > 0 && moves[example].from != square)
        example--;
    if (error->status == NK_E_MOVE)
        snprintf(message, PROMPT_MESSAGE, "Illegal move '%s': %s.", typed, error->text);
    else if (square < 0)
        snprintf(message, PROMPT_MESSAGE, "Invalid move '%s': character %zu: %s.", typed, error->at,
                 error->text);
    else if (count)
        snprintf(message, PROMPT_MESSAGE, "'%s' is one square: type both squares, as %s.", typed,
                 nk_move_text(rules, moves[example]).s);
    else
        snprintf(message, PROMPT_MESSAGE, "'%s' is one square: type both squares of a move.", typed);
}

/* Whether a move can complete what a person has typed, with the hyphen or without. */
static bool move_has_prefix(const char *move, const char *typed)
{
    const char bare[] = {move[0], move[1], move[3], move[4], '\0'};
    return nk_has_prefix(move, typed, strlen(typed)) || nk_has_prefix(bare, typed, strlen(typed));
}

void prompt_complete_moves(const struct nk_rules *rules, struct nk_position position, const char *typed,
                           struct terminal_words *found)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(rules, position, moves);
    for (int m = 0; m < count; m++) {
        const struct nk_text move = nk_move_text(rules, moves[m]);
        if (move_has_prefix(move.s, typed))
            terminal_add_word(found, move.s, "");
    }
}

/* ---- commands ---- */

/* The command with this name or the first that begins so, or NULL. *other is another one that begins so, or NULL. */
static const struct prompt_command *find_command(const struct prompt_command commands[], const char *typed,
                                                 size_t length, const struct prompt_command **other)
{
    const struct prompt_command *found = *other = NULL;
    for (const struct prompt_command *command = commands; command->name; command++) {
        if (!nk_has_prefix(command->name, typed, length))
            continue;
        if (!command->name[length]) {
            *other = NULL;
            return command;
        }
        if (!found)
            found = command;
        else if (!*other)
            *other = command;
    }
    return found;
}

bool prompt_read(const struct prompt_command commands[], const char *line, struct prompt_line *read,
                 char message[PROMPT_MESSAGE])
{
    if (strcmp(line, "?") == 0)
        line = "help";
    const size_t word = strcspn(line, " ");
    const struct prompt_command *other;
    read->forced = word > 1 && line[word - 1] == '!';
    read->argument = line + word + strspn(line + word, " ");
    const size_t length = word - read->forced;
    const struct prompt_command *found = read->command = find_command(commands, line, length, &other);
    if (nk_is_link(line))
        snprintf(message, PROMPT_MESSAGE, "'%.*s': " NK_LINK_ERROR ".", (int)word, line);
    else if (!found)
        snprintf(message, PROMPT_MESSAGE, "Unknown move or command '%.*s'. 'help' lists the commands.",
                 (int)word, line);
    else if (other)
        snprintf(message, PROMPT_MESSAGE, "'%.*s' is ambiguous: %s or %s.", (int)length, line, found->name,
                 other->name);
    else if (*read->argument && !*found->argument)
        snprintf(message, PROMPT_MESSAGE, "'%s' takes no argument.", found->name);
    else if (read->forced && !found->can_be_forced)
        snprintf(message, PROMPT_MESSAGE, "'%s' takes no exclamation mark.", found->name);
    else
        return true;
    return false;
}

void prompt_complete_commands(const struct prompt_command commands[], const char *typed,
                              struct terminal_words *found)
{
    const size_t word = strcspn(typed, " "), argument = word + strspn(typed + word, " ");
    const struct prompt_command *command, *other;
    if (!typed[word]) {
        for (command = commands; command->name; command++)
            if (nk_has_prefix(command->name, typed, word))
                terminal_add_word(found, command->name, command->complete ? " " : "");
        return;
    }
    const size_t length = word - (word > 1 && typed[word - 1] == '!');
    command = find_command(commands, typed, length, &other);
    if (!command || other || !command->complete)
        return;
    found->begin = argument;
    command->complete(typed + argument, found);
}

/* ---- lists ---- */

enum { INDENT = 16 }; /* the column in which the description of a command begins */

static void format_command(const struct prompt_command *command, char label[INDENT])
{
    snprintf(label, INDENT, "  %s%s%s", command->name, *command->argument ? " " : "", command->argument);
}

void prompt_print_help(const struct prompt_command commands[])
{
    char label[INDENT];
    printf("\nCommands:\n");
    for (const struct prompt_command *command = commands; command->about; command++) {
        format_command(command, label);
        nk_print_help_entry(label, INDENT, command->about);
    }
}

void prompt_list(const struct prompt_command commands[], const char *from, const char *to)
{
    terminal_printf(
        0,
        "Type a move from square to square, as %s-%s or %s%s, or one of these commands (the first letters "
        "are enough if no other command begins with them):\n",
        from, to, from, to);
    for (const struct prompt_command *command = commands; command->about; command++) {
        char label[INDENT], line[PROMPT_MESSAGE];
        format_command(command, label);
        snprintf(line, sizeof line, "%-*s%s\n", INDENT, label, command->about);
        terminal_print(stdout, INDENT, line);
    }
}
