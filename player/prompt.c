/* The prompt of neutreeko play and of neutreeko puzzle: its turns, and what people type and get as an answer there. */

#include "player/prompt.h"

#include "common/base/base.h"
#include "common/game/game.h"
#include "player/player.h"
#include "player/terminal/terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- turns ---- */

enum next_step prompt_fail(const struct nk_error *error)
{
    (void)report_error(error);
    return FAIL;
}

enum next_step prompt_take_turns(const struct prompt *prompt)
{
    for (;;) {
        char text[PROMPT_TEXT] = "";
        struct nk_error error;
        const char *line;
        enum next_step step = prompt->begin_turn(prompt->context, text);
        if (!nk_flush_output())
            return FAIL;
        if (step == CONTINUE && *text) {
            if (terminal_read(prompt->terminal, text, &line, &error))
                return prompt_fail(&error);
            if (!line && terminal_has_person(prompt->terminal))
                putchar('\n');
            step = line ? prompt->carry_out(prompt->context, line) : LEAVE;
        }
        if (step != CONTINUE)
            return step;
    }
}

/* ---- moves ---- */

enum { LONGER_THAN_A_MOVE = 31 }; /* characters, of which an error message shows no more */

bool prompt_is_move(const char *line, char move[TERMINAL_LINE])
{
    move[nk_fold_unicode_to_ascii(line, strlen(line), move)] = '\0';
    const char *typed = move + strspn(move, " ");
    const char *after = typed + nk_move_number_length(typed, strcspn(typed, " "));
    after += strspn(after, " ");
    if (*after) /* a move with its number, as records have it */
        typed = after;
    /* A digit is among the first two characters of every move and of no command. */
    if (!*typed || (!nk_is_digit(typed[0]) && !nk_is_digit(typed[1])))
        return false;
    size_t length = 0;
    for (; *typed && length < LONGER_THAN_A_MOVE; typed++)
        if (*typed != ' ')
            move[length++] = *typed;
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

const char *prompt_move_error(const struct nk_rules *rules, struct nk_position position, const char *typed,
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
    return message;
}

void prompt_complete_moves(const struct nk_rules *rules, struct nk_position position, const char *typed,
                           struct terminal_words *found)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(rules, position, moves);
    for (int m = 0; m < count; m++) {
        const struct nk_text move = nk_move_text(rules, moves[m]);
        const char bare[] = {move.s[0], move.s[1], move.s[3], move.s[4], '\0'}; /* without the hyphen */
        if (nk_has_prefix(move.s, typed, strlen(typed)) || nk_has_prefix(bare, typed, strlen(typed)))
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

/* Writes all commands that begin with what was typed, as in "'r' is ambiguous: redo, review or resign." */
static void list_ambiguous(const struct prompt_command commands[], const char *typed, size_t length,
                           char message[PROMPT_MESSAGE])
{
    struct nk_strbuf text = {message, PROMPT_MESSAGE, 0};
    const char *last = NULL, *before = " is ambiguous: ";
    nk_strbuf_add(&text, "'%.*s'", (int)length, typed);
    for (const struct prompt_command *command = commands; command->name; command++) {
        if (!nk_has_prefix(command->name, typed, length))
            continue;
        if (last) {
            nk_strbuf_add(&text, "%s%s", before, last);
            before = ", ";
        }
        last = command->name;
    }
    nk_strbuf_add(&text, " or %s.", last);
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
        list_ambiguous(commands, line, length, message);
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

/* Sets *move to a legal move to show, which is not `hidden` if there is another one. Returns false if there is none. */
static bool choose_example(const struct nk_rules *rules, struct nk_position position,
                           const struct nk_move *hidden, struct nk_move *move)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(rules, position, moves);
    if (count)
        *move = moves[hidden && count > 1 && nk_move_equal(moves[0], *hidden)];
    return count;
}

void prompt_list(const struct prompt_command commands[], const struct nk_rules *rules,
                 struct nk_position position, const struct nk_move *hidden)
{
    static const char about[] = "(the first letters are enough if no other command begins with them)";
    struct nk_move move;
    if (choose_example(rules, position, hidden, &move)) {
        const struct nk_text from = nk_square_text(rules, move.from), to = nk_square_text(rules, move.to);
        terminal_printf(0,
                        "Type a move from square to square, as %s-%s or %s%s, or one of these commands %s:\n",
                        from.s, to.s, from.s, to.s, about);
    } else {
        terminal_printf(0, "Type one of these commands %s:\n", about);
    }
    for (const struct prompt_command *command = commands; command->about; command++) {
        char label[INDENT], line[PROMPT_MESSAGE];
        format_command(command, label);
        snprintf(line, sizeof line, "%-*s%s\n", INDENT, label, command->about);
        terminal_print(stdout, INDENT, line);
    }
}

/* ---- answers ---- */

void print_sentence_to(FILE *stream, const char *format, va_list arguments)
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
    print_sentence_to(stdout, format, arguments);
    va_end(arguments);
}

void print_invitation(const struct nk_rules *rules, struct nk_position position, const struct nk_move *hidden)
{
    struct nk_move move;
    if (choose_example(rules, position, hidden, &move))
        print_sentence("Type a move such as %s, 'hint' or 'help'.", nk_move_text(rules, move).s);
    else
        print_sentence("Type a command such as 'help'.");
}

/* ---- hints ---- */

bool hint_give(const struct nk_rules *rules, int number, struct nk_move move)
{
    if (number == HINT_PIECE)
        print_sentence("Move the piece on %s. ('hint' again shows the move.)",
                       nk_square_text(rules, move.from).s);
    else if (number == HINT_MOVE)
        print_sentence("Play %s. ('hint' again explains it.)", nk_move_text(rules, move).s);
    return number <= HINT_MOVE;
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

enum next_step hint_explain(struct nk_table *table, const struct nk_game *game,
                            const struct nk_choice choices[], int count)
{
    const struct nk_rules *rules = nk_game_rules(game);
    struct nk_explanation why;
    struct nk_error error;
    const char *opponent = nk_colour_name(nk_colour_other(nk_game_to_move(game)));
    if (nk_explain(table, game, nk_game_plies(game), choices[0].move, &why, &error))
        return prompt_fail(&error);
    print_sentence("%s %s with optimal play.%s", nk_move_text(rules, choices[0].move).s,
                   nk_value_text(why.value).s, about_best(&why, choices, count));
    if (why.repeats)
        print_sentence("It draws by threefold repetition.");
    print_threats(&why, opponent);
    if (why.value.result == NK_DRAW)
        print_replies(rules, &why, opponent);
    return CONTINUE;
}
