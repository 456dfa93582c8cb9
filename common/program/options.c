/* The options of a command line, and the help text. */

#include "common/program/program.h"

#include "common/system/system.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the help text ---- */

enum { HELP_WIDTH = 79, MAX_LABEL = 25, LABEL_TEXT = 80, PARAGRAPH = 2000 };

static const struct nk_program_option help_option = {
    .name = "help", .letter = 'h', .help = "Print this help text and exit|; -h prints a short one"};
static const struct nk_program_option version_option = {
    .name = "version", .letter = 'V', .help = "Print the version and exit"};

static bool is_last(const struct nk_program_option *option)
{
    return !option->name && !option->heading;
}

/* The columns of a line: those of a terminal that is narrower than the help text is written. */
static int help_width(void)
{
    const int columns = nk_system_is_terminal(stdout) ? nk_system_columns(stdout) : HELP_WIDTH;
    return columns < HELP_WIDTH ? columns : HELP_WIDTH;
}

/* The column at which lines are continued that should be at `column`: nearer to the left on a narrow terminal. */
static int continued_at(int column)
{
    enum { NARROW = 6 };
    return column <= help_width() / 2 ? column : NARROW;
}

/* Prints a line in the width of the terminal. What does not fit is continued at a column. */
static void print_wrapped(const char *text, int column)
{
    char lines[2 * PARAGRAPH];
    nk_strbuf_add_wrapped(&(struct nk_strbuf){lines, sizeof lines, 0}, help_width(), continued_at(column),
                          text);
    puts(lines);
}

void nk_print_help_entry(const char *label, int column, const char *text)
{
    char entry[PARAGRAPH];
    const int begin = continued_at(column);
    /* A label that does not fit has a line of its own. */
    if (begin == column && (int)strlen(label) + 2 <= column) {
        nk_strbuf_add(&(struct nk_strbuf){entry, sizeof entry, 0}, "%-*s%s", column, label, text);
    } else {
        print_wrapped(label, 4);
        snprintf(entry, sizeof entry, "%*s%s", begin, "", text);
    }
    print_wrapped(entry, column);
}

/* The column in which the right part of a line in two columns begins, or 0 if it has one. */
static int second_column(const char *line, int length)
{
    const int begin = (int)strspn(line, " ");
    for (int at = begin; at + 2 < length; at++)
        if (line[at] == ' ' && line[at + 1] == ' ')
            return at + (int)strspn(line + at, " ");
    return 0;
}

/* Prints what was collected, a paragraph or an entry of a list, whose text begins in a column if that is not 0. */
static void print_collected(char *collected, int column)
{
    if (!*collected)
        return;
    if (!column) {
        print_wrapped(collected, *collected == ' ' ? 4 : 0);
    } else {
        int end = column;
        while (collected[end - 1] == ' ')
            end--;
        collected[end] = '\0';
        nk_print_help_entry(collected, column, collected + column);
    }
    *collected = '\0';
}

/* Prints a part of the help text, whose lines fit into HELP_WIDTH columns. On a narrower terminal, paragraphs and the
 * entries of lists are broken differently. A line that is indented begins an entry, or continues one if it is indented
 * by more than MOST columns. */
static void print_text(const char *text)
{
    enum { MOST = 6 };
    char collected[PARAGRAPH] = "";
    int column = 0;
    if (help_width() == HELP_WIDTH) {
        fputs(text, stdout);
        return;
    }
    for (const char *next; *text; text = next) {
        const int length = (int)strcspn(text, "\n"), indent = (int)strspn(text, " ");
        next = text + length + (text[length] != '\0');
        const bool continues = *collected && length && (indent > MOST || (!indent && *collected != ' '));
        if (!continues)
            print_collected(collected, column);
        if (!length) {
            putchar('\n');
            continue;
        }
        struct nk_strbuf out = {collected, sizeof collected, strlen(collected)};
        const char *between = continues ? " " : "";
        if (!continues) {
            column = indent ? second_column(text, length) : 0;
        } else if (indent && !column) { /* the left part has a line of its own */
            column = (int)out.length + 2;
            between = "  ";
        }
        nk_strbuf_add(&out, "%s%.*s", between, continues ? length - indent : length,
                      text + (continues ? indent : 0));
        assert(out.length < sizeof collected);
    }
    print_collected(collected, column);
}

/* Writes what is left of the description: "  -o, --output FILE". Returns its length. */
static int write_label(const struct nk_program_option *option, char label[LABEL_TEXT])
{
    char letter[] = "-x, ";
    letter[1] = option->letter;
    return snprintf(label, LABEL_TEXT, "  %s--%s%s%s", option->letter ? letter : "    ", option->name,
                    option->argument ? " " : "", option->argument ? option->argument : "");
}

/* The index of a word in a list such as "first|second" or "third fourth", or -1. */
static int find_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (int index = 0;; index++) {
        const size_t end = strcspn(words, "| ");
        if (end == length && memcmp(words, word, length) == 0)
            return index;
        if (!words[end])
            return -1;
        words += end + 1;
    }
}

static void write_default(const struct nk_program_option *option, char text[LABEL_TEXT])
{
    *text = '\0';
    if (option->fallback)
        snprintf(text, LABEL_TEXT, " (default: %s)", option->fallback);
    else if (option->number && *option->number >= option->least)
        snprintf(text, LABEL_TEXT, " (default: %" PRIu64 ")", *option->number);
    else if (option->text && *option->text)
        snprintf(text, LABEL_TEXT, " (default: %s)", *option->text);
    else if (option->choice && *option->choice >= 0) {
        assert(!*option->choice); /* the first word of a choice is its default, if there is one */
        snprintf(text, LABEL_TEXT, " (default: %.*s)", (int)strcspn(option->argument, "|"), option->argument);
    }
}

/* `brief`: the first part of the description, without a long default, and no heading. */
static void print_option(const struct nk_program_option *option, int column, bool brief)
{
    char label[LABEL_TEXT], value[LABEL_TEXT], text[500];
    if (option->heading) {
        if (!brief)
            printf("\n%s:\n", option->heading);
        return;
    }
    write_label(option, label);
    write_default(option, value);
    const int first = (int)strcspn(option->help, "|");
    const char *rest = option->help + first + (option->help[first] != '\0');
    const bool is_long = column + first + (int)strlen(value) > HELP_WIDTH;
    snprintf(text, sizeof text, "%.*s%s%s", first, option->help, brief ? "" : rest,
             brief && is_long ? "" : value);
    nk_print_help_entry(label, column, text);
}

/* Where the descriptions of the options begin. */
static int help_column(const struct nk_command_line *line)
{
    char label[LABEL_TEXT];
    int column = write_label(&version_option, label) + 2;
    for (const struct nk_program_option *option = line->options; !is_last(option); option++) {
        const int length = option->name ? write_label(option, label) : 0;
        if (length <= MAX_LABEL && length + 2 > column)
            column = length + 2;
    }
    return column;
}

int nk_print_help(const struct nk_command_line *line, bool brief)
{
    const int column = help_column(line);
    nk_program_name = line->name;
    printf("Usage: %s%s\n", line->name, line->usage);
    if (!brief)
        print_text(line->about);
    if (!brief && !line->options->heading)
        fputs("\nOptions:\n", stdout);
    if (brief && line->has_commands)
        line->print_list();
    for (const struct nk_program_option *option = line->options; !is_last(option); option++)
        print_option(option, column, brief);
    print_option(&help_option, column, brief);
    print_option(&version_option, column, brief);
    if (!brief && line->print_list)
        line->print_list();
    if (brief)
        printf("'%s --help' describes all of this, with examples.\n", line->name);
    else
        print_text(line->notes);
    return nk_flush_output() ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- values ---- */

/* Reads decimal digits. Returns what follows them, or NULL when there is no digit or the number is too large.
 * strtoull alone would accept blanks and signs. */
static const char *parse_digits(const char *text, uint64_t *number)
{
    char *end;
    if (*text < '0' || *text > '9')
        return NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    *number = value;
    return errno ? NULL : end;
}

static bool parse_number(const struct nk_program_option *option, const char *text)
{
    uint64_t value;
    const char *end = parse_digits(text, &value);
    if (!end || *end || value < option->least || value > option->most)
        return false;
    *option->number = value;
    return true;
}

static bool parse_size(const char *text, uint64_t *bytes)
{
    static const char units[] = "kmgt"; /* or in upper case */
    uint64_t value;
    const char *end = parse_digits(text, &value);
    if (!end || !value)
        return false;
    const char *unit = *end ? strchr(units, nk_lower(*end)) : NULL;
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if ((*end && (!unit || end[1])) || value > UINT64_MAX >> shift)
        return false;
    *bytes = value << shift;
    return true;
}

static bool parse_choice(const struct nk_program_option *option, const char *text)
{
    const int found = find_word(option->argument, text);
    if (found < 0)
        return false;
    *option->choice = found;
    return true;
}

/* Writes "; did you mean 'centre'?" if a word of a choice is similar to what was typed. */
static void write_similar(const char *words, const char *typed, char text[LABEL_TEXT])
{
    char names[LABEL_TEXT] = "";
    struct nk_suggestion similar = {.typed = typed};
    snprintf(names, sizeof names, "%s", words);
    for (char *name = names, *next; name; name = next) {
        next = strchr(name, '|');
        if (next)
            *next++ = '\0';
        nk_suggest(&similar, name);
    }
    if (similar.name)
        snprintf(text, LABEL_TEXT, "; did you mean '%s'?", similar.name);
}

/* Writes the alternatives of a choice as in "csv, jsonl or npy". */
static void write_words(const char *words, char *text, size_t size)
{
    struct nk_strbuf list = {text, size, 0};
    for (size_t length; *words; words += length + (words[length] == '|')) {
        length = strcspn(words, "|");
        nk_strbuf_add(&list, "%s%.*s", !list.length ? "" : words[length] ? ", " : " or ", (int)length, words);
    }
}

/* Returns false after an error message. */
static bool set_value(const struct nk_program_option *option, const char *text)
{
    char expected[200], similar[LABEL_TEXT] = "";
    if (option->given)
        *option->given = true;
    if (option->flag)
        return *option->flag = true;
    if (option->text) {
        *option->text = text;
        return true;
    }
    if (option->number ? parse_number(option, text)
        : option->size ? parse_size(text, option->size)
                       : parse_choice(option, text))
        return true;
    if (option->number) {
        /* The greatest number is a power, as people know it. */
        snprintf(expected, sizeof expected, "a number from %s to %s", nk_group_digits(option->least).s,
                 option->most == UINT64_MAX ? "2**64 - 1" : nk_group_digits(option->most).s);
    } else if (option->choice) {
        write_words(option->argument, expected, sizeof expected);
        write_similar(option->argument, text, similar);
    } else {
        snprintf(expected, sizeof expected, "a size, as in 800M or 12G");
    }
    (void)nk_usage_error("--%s '%s': expected %s%s", option->name, nk_quote(text).s, expected, similar);
    return false;
}

/* ---- parsing ---- */

/* What getopt_long returns: a letter, an index added to INDEX, or what stands for one of the options of every command,
 * of which -h and --help differ. */
enum { LONG_HELP = 255, INDEX = 256, HELP = 'h', VERSION = 'V' };

struct parser {
    const struct nk_command_line *line;
    const struct nk_program_option *options[NK_MAX_PROGRAM_OPTIONS]; /* without the headings */
    struct option known[NK_MAX_PROGRAM_OPTIONS + 3];
    char letters[2 * NK_MAX_PROGRAM_OPTIONS + 5];
    int count;
    bool given[NK_MAX_PROGRAM_OPTIONS];
};

static void init_parser(struct parser *parser, const struct nk_command_line *line)
{
    char *letters = parser->letters;
    parser->line = line;
    /* A plus sign ends the options at the first operand. */
    if (line->has_commands)
        *letters++ = '+';
    *letters++ = ':'; /* distinguishes a missing argument from an unknown option */
    *letters++ = HELP;
    for (const struct nk_program_option *option = line->options; !is_last(option); option++) {
        if (option->heading)
            continue;
        assert(parser->count < NK_MAX_PROGRAM_OPTIONS);
        const int takes_argument = option->flag ? no_argument : required_argument;
        parser->options[parser->count] = option;
        parser->known[parser->count] = (struct option){
            option->name, takes_argument, NULL, option->letter ? option->letter : INDEX + parser->count};
        parser->count++;
        if (option->letter) {
            assert(takes_argument); /* of each that has a letter */
            *letters++ = option->letter;
            *letters++ = ':';
        }
    }
    parser->known[parser->count] = (struct option){help_option.name, no_argument, NULL, LONG_HELP};
    parser->known[parser->count + 1] = (struct option){version_option.name, no_argument, NULL, VERSION};
    *letters++ = VERSION;
}

/* The index of the option that getopt_long found, or -1 for none. */
static int option_index(const struct parser *parser, int found)
{
    for (int i = 0; i < parser->count; i++)
        if (found == parser->known[i].val)
            return i;
    return -1;
}

/* Reports a long option, as it was typed, that is not known or is an abbreviation of several. */
static int reject_name(const struct parser *parser, const char *typed)
{
    char name[LABEL_TEXT];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(typed, "="), typed);
    struct nk_suggestion similar = {.typed = name};
    const struct option *meant[2];
    int abbreviated = 0;
    for (const struct option *known = parser->known; known->name; known++) {
        nk_suggest(&similar, known->name);
        if (strncmp(known->name, name, strlen(name)) == 0 && abbreviated < 2)
            meant[abbreviated++] = known;
    }
    const struct nk_text quoted = nk_quote(name);
    if (abbreviated == 2)
        return nk_usage_error("option '--%s' is ambiguous: --%s or --%s", quoted.s, meant[0]->name,
                              meant[1]->name);
    return nk_usage_error("unknown option '--%s'%s%s%s", quoted.s,
                          similar.name                 ? "; did you mean '--"
                          : parser->line->has_commands ? "; the options of a command follow its name"
                                                       : "",
                          similar.name ? similar.name : "", similar.name ? "'?" : "");
}

/* Reports what getopt_long rejected: an unknown option, a missing argument (':') or one that is not expected. `word`
 * is the argument that it has just read. */
static int reject_option(const struct parser *parser, int found, const char *word)
{
    const int index = option_index(parser, optopt);
    const char *name = index >= 0            ? parser->known[index].name
                       : optopt == LONG_HELP ? help_option.name
                       : optopt == VERSION   ? version_option.name
                                             : NULL;
    if (found == ':' && index >= 0)
        return nk_usage_error("option '--%s' requires an argument, %s", name,
                              parser->options[index]->argument);
    if (optopt && name)
        return nk_usage_error("option '--%s' takes no argument", name);
    if (optopt)
        return nk_usage_error("unknown option '-%s'", nk_quote((const char[]){(char)optopt, '\0'}).s);
    return reject_name(parser, word + 2);
}

/* Returns false, with the exit status, when there is nothing left to do. */
static bool take_option(struct parser *parser, int found, const char *word, int *status)
{
    const struct nk_command_line *line = parser->line;
    if (found == HELP || found == LONG_HELP) {
        *status = nk_print_help(line, found == HELP);
        return false;
    }
    if (found == VERSION) {
        puts(line->version);
        if (line->print_more)
            line->print_more();
        *status = nk_flush_output() ? EXIT_SUCCESS : EXIT_FAILURE;
        return false;
    }
    const int index = option_index(parser, found);
    if (index < 0) {
        *status = reject_option(parser, found, word);
        return false;
    }
    if (!set_value(parser->options[index], optarg)) {
        *status = NK_EXIT_USAGE;
        return false;
    }
    parser->given[index] = true;
    return true;
}

/* Returns the exit status. */
static int check_combinations(const struct parser *parser)
{
    const struct nk_program_option *const *options = parser->options;
    for (int i = 0; i < parser->count; i++)
        for (int j = 0; j < parser->count; j++)
            if (parser->given[i] && parser->given[j] && options[i]->excludes &&
                find_word(options[i]->excludes, options[j]->name) >= 0)
                return nk_usage_error("--%s cannot be combined with --%s", options[i]->name,
                                      options[j]->name);
    return EXIT_SUCCESS;
}

bool nk_read_options(const struct nk_command_line *line, int *argc, char ***argv, int *status)
{
    struct parser parser = {0};
    int found;
    nk_program_name = line->name;
    init_parser(&parser, line);
    optind = 0; /* there may have been another command line before */
    opterr = 0;
    while ((found = getopt_long(*argc, *argv, parser.letters, parser.known, NULL)) != -1)
        if (!take_option(&parser, found, (*argv)[optind - 1], status))
            return false;
    if ((*status = check_combinations(&parser)))
        return false;
    *argc -= optind;
    *argv += optind;
    if (line->operands == NK_ANY_OPERANDS || *argc <= line->operands)
        return true;
    *status = nk_usage_error("unexpected argument '%s'", nk_quote((*argv)[line->operands]).s);
    return false;
}
