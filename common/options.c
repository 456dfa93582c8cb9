#include "options.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages ---- */

enum { MESSAGE = 1000 }; /* bytes; a longer message is cut */

static void report(const char *name, const char *format, va_list arguments)
{
    char text[MESSAGE];
    vsnprintf(text, sizeof text, format, arguments);
    /* One call prints the whole message, so that those of several processes do not mix. */
    fprintf(stderr, "%s: %s\n", name, text);
}

void nk_report(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(name, format, arguments);
    va_end(arguments);
}

static int print_advice(const char *name)
{
    fprintf(stderr, "Try '%s --help' for more information.\n", name);
    return EXIT_USAGE;
}

int nk_usage_error(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(name, format, arguments);
    va_end(arguments);
    return print_advice(name);
}

bool nk_flush_output(const char *name)
{
    static bool reported;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    if (!reported)
        nk_report(name, "cannot write to standard output: %s", strerror(errno));
    reported = true;
    return false;
}

const char *nk_quote(const char *text, char out[NK_QUOTED_TEXT])
{
    size_t n = 0;
    for (; *text && n < NK_QUOTED_TEXT - 4; text++)
        out[n++] = *text >= ' ' && *text <= '~' ? *text : '?';
    snprintf(out + n, NK_QUOTED_TEXT - n, "%s", *text ? "..." : "");
    return out;
}

/* ---- the help text ---- */

enum { HELP_WIDTH = 79, MAX_LABEL = 25, LABEL_TEXT = 80 };

static const struct nk_program_option help_option = {
    .name = "help", .letter = 'h', .help = "Print this help text and exit"};
static const struct nk_program_option version_option = {.name = "version",
                                                        .help = "Print the version and exit"};

/* Writes what is left of the description: "  -o, --output FILE". Returns its length. */
static int write_label(const struct nk_program_option *option, char label[LABEL_TEXT])
{
    char letter[] = "-x, ";
    letter[1] = option->letter;
    return snprintf(label, LABEL_TEXT, "  %s--%s%s%s", option->letter ? letter : "    ", option->name,
                    option->argument ? " " : "", option->argument ? option->argument : "");
}

/* The word at an index of a choice such as "first|second", or NULL after the last one. */
static const char *choice_word(const char *words, int index, size_t *length)
{
    for (; index; index--) {
        words += strcspn(words, "|");
        if (!*words++)
            return NULL;
    }
    *length = strcspn(words, "|");
    return words;
}

static void write_default(const struct nk_program_option *option, char text[LABEL_TEXT])
{
    size_t length = 0;
    *text = '\0';
    if (option->fallback)
        snprintf(text, LABEL_TEXT, " (default: %s)", option->fallback);
    else if (option->number)
        snprintf(text, LABEL_TEXT, " (default: %" PRIu64 ")", *option->number);
    else if (option->text && *option->text)
        snprintf(text, LABEL_TEXT, " (default: %s)", *option->text);
    else if (option->choice && *option->choice >= 0) {
        const char *word = choice_word(option->argument, *option->choice, &length);
        snprintf(text, LABEL_TEXT, " (default: %.*s)", (int)length, word);
    }
}

void nk_print_help_entry(const char *label, int column, const char *text)
{
    /* A label that does not fit has a line of its own. */
    if ((int)strlen(label) + 2 > column)
        printf("%s\n%*s", label, column, "");
    else
        printf("%-*s", column, label);
    for (int at = column; *text;) {
        const int word = (int)strcspn(text, " ");
        if (at > column && at + 1 + word > HELP_WIDTH) {
            printf("\n%*s", column, "");
            at = column;
        } else if (at > column) {
            putchar(' ');
            at++;
        }
        printf("%.*s", word, text);
        at += word;
        text += word + (int)strspn(text + word, " ");
    }
    putchar('\n');
}

static void print_option(const struct nk_program_option *option, int column)
{
    char label[LABEL_TEXT], value[LABEL_TEXT], text[500];
    write_label(option, label);
    write_default(option, value);
    snprintf(text, sizeof text, "%s%s", option->help, value);
    nk_print_help_entry(label, column, text);
}

static int print_help(const struct nk_command_line *line)
{
    char label[LABEL_TEXT];
    int column = write_label(line->version ? &version_option : &help_option, label) + 2;
    for (const struct nk_program_option *option = line->options; option->name; option++) {
        const int length = write_label(option, label);
        if (length <= MAX_LABEL && length + 2 > column)
            column = length + 2;
    }
    printf("Usage: %s%s\n%s\nOptions:\n", line->name, line->usage, line->about);
    for (const struct nk_program_option *option = line->options; option->name; option++)
        print_option(option, column);
    print_option(&help_option, column);
    if (line->version)
        print_option(&version_option, column);
    if (line->print_list)
        line->print_list();
    fputs(line->notes, stdout);
    return nk_flush_output(line->name) ? EXIT_SUCCESS : EXIT_FAILURE;
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
    static const char units[] = "KMGT";
    uint64_t value;
    const char *end = parse_digits(text, &value);
    if (!end || !value)
        return false;
    const char *unit = *end ? strchr(units, *end) : NULL;
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if ((*end && (!unit || end[1])) || value > UINT64_MAX >> shift)
        return false;
    *bytes = value << shift;
    return true;
}

static bool parse_choice(const struct nk_program_option *option, const char *text)
{
    size_t length;
    const char *word;
    for (int i = 0; (word = choice_word(option->argument, i, &length)); i++)
        if (strlen(text) == length && memcmp(text, word, length) == 0) {
            *option->choice = i;
            return true;
        }
    return false;
}

/* Returns false after an error message. */
static bool set_value(const struct nk_command_line *line, const struct nk_program_option *option,
                      const char *text)
{
    char expected[200], quoted[NK_QUOTED_TEXT];
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
    if (option->number)
        snprintf(expected, sizeof expected, "a number from %" PRIu64 " to %" PRIu64, option->least,
                 option->most);
    else
        snprintf(expected, sizeof expected, "%s",
                 option->size ? "a size, as in 800M or 12G" : option->argument);
    nk_report(line->name, "--%s '%s': expected %s", option->name, nk_quote(text, quoted), expected);
    return false;
}

/* ---- parsing ---- */

enum {
    INDEX = 256,
    HELP = 'h',
    VERSION = 1
}; /* what getopt_long returns: a letter, an index added to INDEX, or these */

struct parser {
    const struct nk_command_line *line;
    struct option known[NK_MAX_PROGRAM_OPTIONS + 3];
    char letters[2 * NK_MAX_PROGRAM_OPTIONS + 3];
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
    *letters++ = HELP;
    for (const struct nk_program_option *option = line->options; option->name; option++) {
        assert(parser->count < NK_MAX_PROGRAM_OPTIONS);
        const int takes_argument = option->flag ? no_argument : required_argument;
        parser->known[parser->count] = (struct option){
            option->name, takes_argument, NULL, option->letter ? option->letter : INDEX + parser->count};
        parser->count++;
        if (option->letter) {
            *letters++ = option->letter;
            if (takes_argument)
                *letters++ = ':';
        }
    }
    parser->known[parser->count] = (struct option){help_option.name, no_argument, NULL, HELP};
    if (line->version)
        parser->known[parser->count + 1] = (struct option){version_option.name, no_argument, NULL, VERSION};
}

/* The index of the option that getopt_long found, or -1 for none. */
static int option_index(const struct parser *parser, int found)
{
    for (int i = 0; i < parser->count; i++)
        if (found == parser->known[i].val)
            return i;
    return -1;
}

/* Returns the exit status when there is nothing left to do. */
static int take_option(struct parser *parser, int found)
{
    const struct nk_command_line *line = parser->line;
    if (found == HELP)
        return print_help(line);
    if (found == VERSION) {
        puts(line->version);
        return nk_flush_output(line->name) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    const int index = option_index(parser, found);
    if (index < 0 || !set_value(line, &line->options[index], optarg))
        return print_advice(line->name);
    parser->given[index] = true;
    return NK_OPTIONS_READ;
}

/* Whether the name is in a list of names with blanks between them; the list may be NULL. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at++)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static int check_combinations(const struct parser *parser)
{
    const struct nk_program_option *options = parser->line->options;
    for (int i = 0; i < parser->count; i++)
        for (int j = 0; j < parser->count; j++)
            if (parser->given[i] && parser->given[j] && is_listed(options[i].excludes, options[j].name))
                return nk_usage_error(parser->line->name, "--%s cannot be combined with --%s",
                                      options[i].name, options[j].name);
    return NK_OPTIONS_READ;
}

int nk_read_options(const struct nk_command_line *line, int *argc, char ***argv)
{
    struct parser parser = {0};
    char quoted[NK_QUOTED_TEXT];
    int found, status = NK_OPTIONS_READ;
    init_parser(&parser, line);
    optind = 0;                      /* there may have been another command line before */
    (*argv)[0] = (char *)line->name; /* getopt_long begins its messages with it */
    while (status == NK_OPTIONS_READ &&
           (found = getopt_long(*argc, *argv, parser.letters, parser.known, NULL)) != -1)
        status = take_option(&parser, found);
    if (status == NK_OPTIONS_READ)
        status = check_combinations(&parser);
    if (status != NK_OPTIONS_READ)
        return status;
    *argc -= optind;
    *argv += optind;
    if (line->operands != NK_ANY_OPERANDS && *argc > line->operands)
        return nk_usage_error(line->name, "unexpected argument '%s'",
                              nk_quote((*argv)[line->operands], quoted));
    return NK_OPTIONS_READ;
}
