/* The terminal with lines edited by libedit. Not through its interface of readline: if signals are caught there, one
 * that ends the program is sent to all processes of its group, and Ctrl-C cannot find out whether the line is empty; if
 * they are not, all that follows is necessary as well. */

#include "player/terminal/terminal.h"

#include "common/program/program.h"
#include "common/system/system.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

enum { HISTORY_LINES = 1000 };

struct terminal {
    bool has_person;
    bool interactive; /* both ends are terminals */
    EditLine *editor; /* NULL if lines are not edited */
    History *history;
    char prompt[32];
    terminal_completion *completion;
    void *context;
    char line[TERMINAL_LINE];
    char begun[TERMINAL_LINE];   /* what is to be completed */
    struct terminal_words words; /* its completions */
};

static struct termios original; /* the settings of the terminal before the program changed them */

/* ---- signals ---- */

static sigset_t usual; /* the signals that are blocked anyway, while block_signals blocks more */

/* Notes these signals while the prompt is shown. */
static void watch_prompt(bool on)
{
    nk_program_handle(SIGTSTP, on ? nk_program_note : SIG_DFL);
    nk_program_handle(SIGWINCH, on ? nk_program_note : SIG_DFL);
    nk_program_handle(SIGINT, on ? nk_program_note : nk_program_end);
}

/* Blocks the signals of watch_prompt, so that none is missed between a look at the notes and the wait for a key. */
static void block_signals(bool on)
{
    sigset_t noted;
    sigemptyset(&noted);
    sigaddset(&noted, SIGTSTP);
    sigaddset(&noted, SIGWINCH);
    sigaddset(&noted, SIGINT);
    if (on)
        sigprocmask(SIG_BLOCK, &noted, &usual);
    else
        sigprocmask(SIG_SETMASK, &usual, NULL);
}

/* Suspends the program as Ctrl-Z requests, with the original settings of the terminal, until it is continued. */
static void stop(EditLine *editor)
{
    el_set(editor, EL_PREP_TERM, 0);
    watch_prompt(false);
    kill(getpid(), SIGTSTP);
    block_signals(false); /* it stops here */
    block_signals(true);
    watch_prompt(true);
    el_set(editor, EL_PREP_TERM, 1);
    el_set(editor, EL_REFRESH);
}

/* Ctrl-C removes what was typed; on an empty line it ends the program. */
static void interrupt(EditLine *editor)
{
    const LineInfoW *line = el_wline(editor);
    const int length = (int)(line->lastchar - line->buffer);
    if (!length)
        nk_program_end(SIGINT);
    el_cursor(editor, (int)(line->lastchar - line->cursor));
    el_deletestr(editor, length);
    fputs("^C\n", stdout);
    el_set(editor, EL_REFRESH);
}

/* ---- callbacks of the editor ---- */

static char *prompt_of(EditLine *editor)
{
    struct terminal *terminal = NULL;
    el_get(editor, EL_CLIENTDATA, &terminal);
    return terminal->prompt;
}

/* Waits until there is something to read, and does what signals ask for meanwhile. */
static void wait_for_input(EditLine *editor)
{
    fd_set input;
    int ready;
    block_signals(true);
    do {
        if (nk_program_has_noted(SIGWINCH))
            el_resize(editor);
        if (nk_program_has_noted(SIGTSTP))
            stop(editor);
        if (nk_program_has_noted(SIGINT))
            interrupt(editor);
        FD_ZERO(&input);
        FD_SET(STDIN_FILENO, &input);
        ready = pselect(STDIN_FILENO + 1, &input, NULL, NULL, NULL, &usual);
    } while (ready < 0 && errno == EINTR);
    block_signals(false);
}

/* Reads a character and skips bytes that are invalid in the locale. */
static int read_key(EditLine *editor, wchar_t *key)
{
    mbstate_t state = {0};
    for (;;) {
        char byte;
        wait_for_input(editor);
        const ssize_t got = read(STDIN_FILENO, &byte, 1);
        if (got <= 0)
            return (int)got;
        const size_t length = mbrtowc(key, &byte, 1, &state);
        if (length == (size_t)-1)
            state = (mbstate_t){0};
        else if (length != (size_t)-2)
            return 1;
    }
}

/* The length of the longest common prefix of the words. */
static size_t common_length(const struct terminal_words *words)
{
    size_t length = strlen(words->words[0]);
    for (int w = 1; w < words->count; w++) {
        size_t same = 0;
        while (same < length && words->words[w][same] == words->words[0][same])
            same++;
        length = same;
    }
    /* Not within a character of UTF-8. In another encoding, a word may begin with such a byte. */
    while (length && ((unsigned char)words->words[0][length] & 0xc0) == 0x80)
        length--;
    return length;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(a, b);
}

static unsigned char complete(EditLine *editor, wint_t key)
{
    (void)key;
    struct terminal *terminal = NULL;
    el_get(editor, EL_CLIENTDATA, &terminal);
    const LineInfo *line = el_line(editor);
    const size_t length = (size_t)(line->cursor - line->buffer);
    struct terminal_words *words = &terminal->words;
    if (length >= sizeof terminal->begun)
        return CC_ERROR;
    memcpy(terminal->begun, line->buffer, length);
    terminal->begun[length] = '\0';
    words->begin = 0;
    words->count = words->too_many = 0;
    terminal->completion(terminal->context, terminal->begun, words);
    if (!words->count || words->too_many)
        return CC_ERROR;
    const size_t common = common_length(words), typed = length - words->begin;
    if (words->count == 1 || common > typed) {
        words->words[0][common] = '\0';
        el_deletestr(editor, (int)mbstowcs(NULL, terminal->begun + words->begin, 0));
        el_insertstr(editor, words->words[0]);
        return CC_REFRESH;
    }
    qsort(words->words, (size_t)words->count, TERMINAL_WORD, compare_words);
    putchar('\n');
    terminal_print_columns(words->words[0], TERMINAL_WORD, words->count);
    return CC_REDISPLAY;
}

/* ---- open and close ---- */

static bool open_editor(struct terminal *terminal)
{
    HistEvent event;
    setlocale(LC_CTYPE, "");
    terminal->editor = el_init("neutreeko", stdin, stdout, stderr);
    terminal->history = history_init();
    if (!terminal->editor || !terminal->history)
        return false;
    history(terminal->history, &event, H_SETSIZE, HISTORY_LINES);
    history(terminal->history, &event, H_SETUNIQUE, 1);
    el_set(terminal->editor, EL_CLIENTDATA, terminal);
    el_set(terminal->editor, EL_PROMPT, prompt_of);
    el_set(terminal->editor, EL_GETCFN, read_key);
    el_set(terminal->editor, EL_EDITOR, "emacs");
    el_set(terminal->editor, EL_HIST, history, terminal->history);
    el_wset(terminal->editor, EL_ADDFN, L"complete", L"Complete the word",
            complete); /* el_set would leak its copies of the strings */
    el_set(terminal->editor, EL_BIND, "^I", "complete", NULL);
    el_source(terminal->editor, NULL); /* the user's ~/.editrc */
    return true;
}

struct terminal *terminal_open(terminal_completion *completion, void *context)
{
    struct terminal *terminal = calloc(1, sizeof *terminal);
    if (!terminal)
        return NULL;
    terminal->completion = completion;
    terminal->context = context;
    terminal->has_person = tcgetattr(STDIN_FILENO, &original) == 0;
    terminal->interactive = terminal->has_person && nk_system_is_terminal(stdout);
    if (!terminal->interactive)
        return terminal;
    nk_program_keep_terminal(&original);
    if (nk_system_is_screen(stdout) && !open_editor(terminal)) {
        terminal_close(terminal);
        return NULL;
    }
    return terminal;
}

void terminal_close(struct terminal *terminal)
{
    if (!terminal)
        return;
    if (terminal->editor)
        el_end(terminal->editor);
    if (terminal->history)
        history_end(terminal->history);
    if (terminal->interactive)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &original);
    free(terminal);
}

bool terminal_has_person(const struct terminal *terminal)
{
    return terminal->has_person;
}

/* ---- reading ---- */

/* Returns the line, or NULL at the end of the input. */
static const char *read_edited(struct terminal *terminal)
{
    int length = 0;
    HistEvent event;
    watch_prompt(true);
    /* By itself libedit shows the prompt first: a Ctrl-D typed in between would be lost. */
    el_set(terminal->editor, EL_PREP_TERM, 1);
    const char *typed = el_gets(terminal->editor, &length);
    watch_prompt(false);
    if (!typed) /* Ctrl-D, or the terminal has gone */
        return NULL;
    const size_t used = strlen(typed) < TERMINAL_LINE ? strlen(typed) : TERMINAL_LINE - 1;
    memcpy(terminal->line, typed, used);
    terminal->line[used] = '\0';
    if (typed[used])
        terminal->line[used - 1] = '?';
    terminal_clean(terminal->line);
    if (*terminal->line)
        history(terminal->history, &event, H_ENTER, terminal->line);
    return terminal->line;
}

enum nk_status terminal_read(struct terminal *terminal, const char *prompt, const char **line,
                             struct nk_error *error)
{
    snprintf(terminal->prompt, sizeof terminal->prompt, "%s", prompt);
    if (terminal->editor) {
        *line = read_edited(terminal);
        return NK_OK;
    }
    return terminal_read_input(terminal->has_person ? prompt : NULL, terminal->line, line, error);
}
