#include "player/terminal/keys.h"

#include "common/program/program_posix.h"

#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

enum { ESCAPE = 27, CTRL_D = 4, ESCAPE_MS = 50 };

static struct termios original; /* the settings of the terminal before the program changed them */
static sigset_t waiting;        /* the signals that are blocked while the program waits for a key */

static void read_single_keys(void)
{
    struct termios settings = original;
    settings.c_iflag &= ~(tcflag_t)ICRNL;
    settings.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings);
}

void keys_open(void)
{
    sigset_t noted;
    tcgetattr(STDIN_FILENO, &original);
    nk_program_keep_terminal(&original);
    /* These arrive only while the program waits, so that none is missed between a look at the flags and the wait. */
    sigemptyset(&noted);
    sigaddset(&noted, SIGTSTP);
    sigaddset(&noted, SIGWINCH);
    sigprocmask(SIG_BLOCK, &noted, &waiting);
    nk_program_handle(SIGTSTP, nk_program_note);
    nk_program_handle(SIGWINCH, nk_program_note);
    read_single_keys();
}

void keys_close(void)
{
    tcsetattr(STDIN_FILENO, TCSADRAIN, &original);
}

/* Suspends the program until it is continued. */
static void stop(void)
{
    sigset_t blocked;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &original);
    nk_program_handle(SIGTSTP, SIG_DFL);
    kill(getpid(), SIGTSTP);
    sigprocmask(SIG_SETMASK, &waiting, &blocked); /* it stops here */
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    nk_program_handle(SIGTSTP, nk_program_note);
    read_single_keys();
}

/* Reads a byte, or an enum key instead. A timeout of NULL waits. */
static int read_byte(const struct timespec *timeout)
{
    fd_set input;
    unsigned char byte;
    FD_ZERO(&input);
    FD_SET(STDIN_FILENO, &input);
    const int ready = pselect(STDIN_FILENO + 1, &input, NULL, NULL, timeout, &waiting);
    if (nk_program_has_noted(SIGTSTP)) {
        stop();
        return KEY_RESIZED;
    }
    if (nk_program_has_noted(SIGWINCH))
        return KEY_RESIZED;
    if (ready <= 0)
        return KEY_UNKNOWN;
    return read(STDIN_FILENO, &byte, 1) == 1 && byte != CTRL_D ? byte : KEY_END;
}

/* Reads what follows an escape character: of an unknown sequence, everything. */
static int read_sequence(void)
{
    static const struct {
        char last, digit;
        enum key key;
    } keys[] = {{'A', 0, KEY_UP},     {'B', 0, KEY_DOWN},  {'C', 0, KEY_RIGHT},   {'D', 0, KEY_LEFT},
                {'H', 0, KEY_FIRST},  {'F', 0, KEY_LAST},  {'~', '1', KEY_FIRST}, {'~', '7', KEY_FIRST},
                {'~', '4', KEY_LAST}, {'~', '8', KEY_LAST}};
    const struct timespec timeout = {0, ESCAPE_MS * 1000000L};
    int byte = read_byte(&timeout), digit = 0;
    if (byte != '[' && byte != 'O')
        return KEY_UNKNOWN;
    while ((byte = read_byte(&timeout)) >= ' ' && byte < '@')
        digit = byte;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (byte == keys[k].last && (!keys[k].digit || digit == keys[k].digit))
            return keys[k].key;
    return KEY_UNKNOWN;
}

int keys_read(void)
{
    const int byte = read_byte(NULL);
    return byte == ESCAPE ? read_sequence() : byte;
}
