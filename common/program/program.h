/* What the programs share, and no library may call: signals, messages and output, JSON lines, progress, options. */
#ifndef NK_PROGRAM_H
#define NK_PROGRAM_H

#include "common/base/base.h"
#include "common/game/game.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- the process and its signals ---- */

/* Opens the standard streams that are closed (see nk_system_open_missing_streams). Makes a write beyond the file size
 * limit fail with EFBIG instead of ending the program. Makes SIGHUP, SIGINT, SIGQUIT and SIGTERM remove the
 * incomplete files of this process before they end it, unless they were ignored. */
void nk_program_begin(void);

/* Makes the first SIGINT, which is Ctrl-C, set *interrupted, and the second one end the program as nk_program_begin has
 * prepared. If SIGINT was ignored when the program started, it stays ignored. */
void nk_program_catch_interrupt(atomic_bool *interrupted);

/* The next ones are for POSIX systems only. */

/* Handles a signal with nk_program_end, another handler or SIG_DFL, unless it was ignored when the program started. All
 * other signals are blocked meanwhile. Apart from waiting (poll, pselect), no system call fails because of it. */
void nk_program_handle(int number, void (*handler)(int));

/* A handler that ends the program, without incomplete files and with the terminal as it was; after SIGINT at a terminal
 * with status 130. It may also be called. */
void nk_program_end(int number);

/* A handler that only notes the signal. nk_program_has_noted reports each signal once. */
void nk_program_note(int number);
bool nk_program_has_noted(int number);

/* Restores these settings of the terminal at standard input if a signal ends the program. They must live until then. */
struct termios;
void nk_program_keep_terminal(const struct termios *settings);

/* ---- messages and output ---- */

/* The exit status for incorrect usage. */
enum { NK_EXIT_USAGE = 2 };

/* As messages begin: the name of the program or, in neutreeko, of the running command, such as "neutreeko query".
 * nk_read_options and nk_print_help set it to the name of the command line. */
extern const char *nk_program_name;

/* Prints "NAME: message" to standard error, escaped. A message of more than 999 bytes is cut. */
__attribute__((format(printf, 1, 2))) void nk_report(const char *format, ...);

/* The same, and where to find help. Returns NK_EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) int nk_usage_error(const char *format, ...);

/* Sets the path of the file to which standard output writes, for messages. It must outlive the program's output. */
void nk_name_output(const char *path);

/* Flushes standard output. Returns whether everything printed so far was written; reports the first failure. */
bool nk_flush_output(void);

/* Prints a text from outside to standard output so that it cannot control the terminal: see nk_escape_first. */
void nk_print_escaped(const char *text);

/* The columns that the first `length` bytes of a text take up: none for the escape sequences of colours. */
int nk_count_columns(const char *text, size_t length);

/* Adds a text with line ends between words, so that no line has more than `columns` unless a word is longer. The lines
 * after those ends are indented by `indent` columns. */
void nk_strbuf_add_wrapped(struct nk_strbuf *out, int columns, int indent, const char *text);

/* A number for people: 3542000 as 3,542,000. */
struct nk_text nk_group_digits(uint64_t number);

/* "s" for the plural, unless the number is 1. */
const char *nk_plural(uint64_t number);

/* A text from outside so that it is safe to print: escaped, and shortened to the size of an nk_text. */
struct nk_text nk_quote(const char *text);

/* ---- JSON on standard output, one object per line ---- */

/* The version of the formats, which docs/schema describes. It is incremented when a key is removed or changes its
 * meaning; any release may add keys. */
enum { NK_JSON_VERSION = 1 };

/* Begins an object, with "version". There is only one writer: end an object before beginning the next one. */
struct nk_json *nk_json_begin_line(void);

/* Ends the object and its line. What cannot be written shows in ferror(stdout), as with printf. */
void nk_json_end_line(struct nk_json *json);

/* Adds "board", "pieces", "row_length" and "win" to an object: "5x5", 3, 3, "line". */
void nk_json_board(struct nk_json *json, const struct nk_board *board);

/* Adds a finite number with 6 significant digits and at least one decimal or an exponent: 0.25, 3.0, 1.5e-07. */
void nk_json_real(struct nk_json *json, const char *key, double value);

/* ---- progress ---- */

/* Progress of long work, for people: how much is done, the time so far, and an estimate of the time left. On a terminal
 * it is one line that is replaced in place and erased at the end, otherwise a plain line from time to time. Functions
 * that work long do not print; they call an nk_progress_sink. One thread at a time may use a struct nk_progress. */
struct nk_progress {
    FILE *out; /* NULL: nothing is printed */
    bool is_terminal;
    bool has_line;       /* on the terminal */
    double interval;     /* the least seconds between two lines */
    const char *stage;   /* what is being done, such as "verifying" */
    double began, shown; /* when the stage began, and when a line was printed; monotonic time */
    double first;        /* the first fraction of the stage that was reported; negative before */
    double first_time;
    uint64_t decided[2]; /* in the last two plies */
    double ply_time[2];
};

/* Prepares printing to `out`, or nothing if it is NULL. */
void nk_progress_init(struct nk_progress *progress, FILE *out);

/* Begins a stage. `name` must remain valid until the next one. */
void nk_progress_stage(struct nk_progress *progress, const char *name);

/* Prints how much of the stage is done. `progress` is a struct nk_progress: a function for nk_progress_sink.
 * Returns true. */
bool nk_progress_show(void *progress, double done);

/* Prints how many positions were decided in the work of one ply. The number of plies is not known in advance, so the
 * time left is estimated only when odd plies, or even ones, decide fewer and fewer positions. After a ply with at most
 * `few` positions, 1 or more, the work on the next one is in proportion to them. */
void nk_progress_show_ply(struct nk_progress *progress, int ply, uint64_t decided, uint64_t few);

/* Erases the line from the terminal, before a message or at the end. */
void nk_progress_clear(struct nk_progress *progress);

/* ---- options ----
 *
 * The command line of a program or of one of its commands is described by a list of options. Parsing and the help text
 * both follow the list, and the completions of the shells follow the help text. */

/* Exactly one of `flag`, `text`, `choice`, `number` and `size` is set. It determines the kind of the option and
 * receives its value; the value before parsing is the default, which the help text prints. An entry without a name
 * is a heading for those that follow. */
struct nk_program_option {
    const char *name;     /* without the hyphens; NULL for a heading */
    const char *heading;  /* of a group of options in the help text, as "Output options"; otherwise NULL */
    char letter;          /* the short form, or 0 */
    const char *argument; /* in the help text: a placeholder, "FILE", or the words of a choice, "yes|no" */
    const char *help;     /* a sentence in the imperative, without a period; -h prints what is before a '|' */
    const char *fallback; /* describes the default where the value before parsing does not, or NULL */
    const char *excludes; /* the names of options that cannot be combined with this one, or NULL */
    bool *given;          /* set to true if the option is given; NULL if that does not matter */

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
    void (*print_list)(void);                /* prints a part of the help text before the notes, or NULL; with
                                              * has_commands, the commands */
    const char *version;                     /* what -V prints */
    void (*print_more)(void);                /* prints what follows the version, or NULL */
    int operands;                            /* how many other arguments there may be, or NK_ANY_OPERANDS */
    bool has_commands;                       /* the first operand ends the options */
};

/* Reads the options. Returns true with the operands in *argc and *argv, or false with the exit status in *status when
 * there is nothing left to do: the help text or the version was printed, or the usage was incorrect. */
bool nk_read_options(const struct nk_command_line *line, int *argc, char ***argv, int *status);

/* Prints the help text or, if `brief`, what fits on a screen: usage and options. Returns the exit status. */
int nk_print_help(const struct nk_command_line *line, bool brief);

/* Prints an entry of a help text, for print_list: a label, and from a column on a text. Lines are broken in the width
 * of the terminal, 79 columns at most. */
void nk_print_help_entry(const char *label, int column, const char *text);

#endif
