/* The command line of a program or of one of its commands, described by a list of options. Parsing and the help text
 * both follow the list, and the completions of the shells follow the help text. Only programs call these functions:
 * they print. */
#ifndef NK_OPTIONS_H
#define NK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Exactly one of `flag`, `text`, `choice`, `number` and `size` is set. It determines the kind of the option and
 * receives its value; the value before parsing is the default, which the help text prints. An entry without a name
 * is a heading for those that follow. */
struct nk_program_option {
    const char *name;     /* without the hyphens; NULL for a heading */
    const char *heading;  /* of a group of options in the help text, as "Output options"; otherwise NULL */
    char letter;          /* the short form, or 0 */
    const char *argument; /* in the help text: a placeholder, "FILE", or the words of a choice, "yes|no" */
    const char *help;     /* a sentence in the imperative, without a period */
    const char *fallback; /* describes the default where the value before parsing does not, or NULL */
    const char *excludes; /* the names of options that cannot be combined with this one, or NULL */

    bool *flag;
    const char **text;
    int *choice;      /* the index of the word; a negative default is none */
    uint64_t *number; /* from least to most; a default below is none */
    uint64_t least, most;
    uint64_t *size; /* bytes: "4096", "800M", "12G"; at least 1 */
};

#define NK_OPTION(...) \
    {                  \
        __VA_ARGS__    \
    }
#define NK_FLAG(option, about, target) NK_OPTION(.name = (option), .help = (about), .flag = (target))
#define NK_TEXT(option, words, about, standard, target)                                       \
    NK_OPTION(.name = (option), .argument = (words), .help = (about), .fallback = (standard), \
              .text = (target))
#define NK_NUMBER(option, words, about, standard, target, from, to)                           \
    NK_OPTION(.name = (option), .argument = (words), .help = (about), .fallback = (standard), \
              .number = (target), .least = (from), .most = (to))
#define NK_HEADING(text) NK_OPTION(.heading = (text))
#define NK_LAST_OPTION NK_OPTION(.name = NULL)

enum { NK_MAX_PROGRAM_OPTIONS = 24, NK_ANY_OPERANDS = -1 };

struct nk_command_line {
    const char *name;  /* as error messages and the help text begin: "neutreeko query" */
    const char *usage; /* what follows the name in the first line of the help text */
    const char *about; /* the help text before the options */
    const struct nk_program_option *options; /* ends with NK_LAST_OPTION */
    const char *notes;                       /* the help text after the options */
    void (*print_list)(void);                /* prints a part of the help text before the notes, or NULL */
    const char *version;                     /* what -V prints */
    void (*print_more)(void);                /* prints what follows the version, or NULL */
    int operands;                            /* how many other arguments there may be, or NK_ANY_OPERANDS */
    bool has_commands;                       /* the first operand ends the options */
};

/* Reads the options. Returns true with the operands in *argc and *argv, or false with the exit status in *status when
 * there is nothing left to do: the help text or the version was printed, or the usage was incorrect. */
bool nk_read_options(const struct nk_command_line *line, int *argc, char ***argv, int *status);

/* Prints the help text. Returns the exit status. */
int nk_print_help(const struct nk_command_line *line);

/* Prints a line of a help text, for print_list: a label, and from a column on a text, whose lines are broken. */
void nk_print_help_entry(const char *label, int column, const char *text);

#endif
