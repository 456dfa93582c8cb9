#include "player/keys.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

enum { EXIT_INTERRUPTED = 130, ESCAPE = 27, CTRL_D = 4, ESCAPE_MS = 50 };

/* Handlers can use only global data. */
static struct termios original; /* the settings of the terminal before the program changed them */
static volatile sig_atomic_t stop_wanted, size_changed;
static sigset_t waiting; /* the signals that are blocked while the program waits for a key */

static void end_by_signal(int number)
{
    tcsetattr(STDIN_FILENO, TCSANOW, &original);
    const ssize_t written = write(STDOUT_FILENO, "\n", 1);
    (void)written;
    if (number == SIGINT)
        _exit(EXIT_INTERRUPTED);
    raise(number); /* SA_RESETHAND: the default action ends the program once this handler returns */
}

static void note_signal(int number)
{
    if (number == SIGTSTP)
        stop_wanted = true;
    else
        size_changed = true;
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
    sigfillset(&action.sa_mask);
    /* A signal that was ignored when the program started stays ignored. */
    sigaction(number, NULL, &old);
    if (old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

static void read_single_keys(void)
{
    struct termios settings = original;
    settings.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings);
}

bool keys_open(void)
{
    static const int fatal[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t noted;
    if (tcgetattr(STDIN_FILENO, &original))
        return false;
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        handle(fatal[i], end_by_signal, (int)SA_RESETHAND);
    /* These arrive only while the program waits, so that none is missed between a look at the flags and the wait. */
    sigemptyset(&noted);
    sigaddset(&noted, SIGTSTP);
    sigaddset(&noted, SIGWINCH);
    sigprocmask(SIG_BLOCK, &noted, &waiting);
    handle(SIGTSTP, note_signal, 0);
    handle(SIGWINCH, note_signal, 0);
    read_single_keys();
    return true;
}

void keys_close(void)
{
    tcsetattr(STDIN_FILENO, TCSADRAIN, &original);
}

/* Suspends the program until it is continued. */
static void stop(void)
{
    sigset_t blocked;
    stop_wanted = false;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &original);
    handle(SIGTSTP, SIG_DFL, 0);
    kill(getpid(), SIGTSTP);
    sigprocmask(SIG_SETMASK, &waiting, &blocked); /* it stops here */
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    handle(SIGTSTP, note_signal, 0);
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
    if (stop_wanted) {
        stop();
        return KEY_RESIZED;
    }
    if (size_changed) {
        size_changed = false;
        return KEY_RESIZED;
    }
    if (ready == 0 || (ready < 0 && errno == EINTR))
        return KEY_UNKNOWN;
    return ready > 0 && read(STDIN_FILENO, &byte, 1) == 1 && byte != CTRL_D ? byte : KEY_END;
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
        return byte == KEY_END ? KEY_END : KEY_UNKNOWN;
    while ((byte = read_byte(&timeout)) >= ' ' && byte < '@')
        digit = byte;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (byte == keys[k].last && (!keys[k].digit || digit == keys[k].digit))
            return keys[k].key;
    return byte == KEY_END ? KEY_END : KEY_UNKNOWN;
}

int keys_read(void)
{
    const int byte = read_byte(NULL);
    return byte == ESCAPE ? read_sequence() : byte;
}
