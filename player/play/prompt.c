#include "player/play/prompt.h"

#include "common/base/chars.h"
#include "common/game/notation.h"
#include "player/terminal/print.h"

#include <stdio.h>
#include <string.h>

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
    normalised[nk_normalise(line, typed, normalised)] = '\0';
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
