/* Signals of a program on a POSIX system. */

#include "common/program/program.h"
#include "common/system/system.h"

#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Handlers can use only global data. */
static const struct termios *kept; /* NULL without a terminal */
static volatile sig_atomic_t noted[NSIG];

void nk_program_end(int number)
{
    /* No other thread opens a file from now on. */
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_NOFILE, &none);
    nk_file_remove_unfinished();
    /* As SIGTTOU is blocked, this does not stop a process in the background. */
    if (kept)
        tcsetattr(STDIN_FILENO, TCSANOW, kept);
    if (kept && number == SIGINT) {
        (void)!write(STDOUT_FILENO, "\n", 1);
    } else {
        sigset_t this;
        sigemptyset(&this);
        sigaddset(&this, number);
        pthread_sigmask(SIG_UNBLOCK, &this, NULL);
        raise(number); /* SA_RESETHAND has restored the default action */
    }
    /* Also for the first process of a container, which the default action does not end. */
    _exit(128 + number);
}

void nk_program_note(int number)
{
    noted[number] = true;
}

bool nk_program_has_noted(int number)
{
    const bool was_noted = noted[number];
    noted[number] = false;
    return was_noted;
}

void nk_program_handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler}, old;
    action.sa_flags = handler == nk_program_end ? (int)SA_RESETHAND : SA_RESTART;
    sigfillset(&action.sa_mask);
    sigaction(number, NULL, &old);
    if (old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

static atomic_bool *first_interrupt; /* what it sets */

static void interrupt(int number)
{
    atomic_store(first_interrupt, true);
    nk_program_handle(number, nk_program_end);
}

void nk_program_catch_interrupt(atomic_bool *interrupted)
{
    first_interrupt = interrupted;
    nk_program_handle(SIGINT, interrupt);
}

void nk_program_keep_terminal(const struct termios *settings)
{
    kept = settings;
}

/* Has malloc use some megabytes again that have been freed: the parts of solving a small board follow each other, and
 * for some, the system takes longer to provide new memory than they take to fill it. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
}

void nk_program_begin(void)
{
    static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    keep_memory();
    nk_system_open_missing_streams();
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        nk_program_handle(deadly[i], nk_program_end);
}
