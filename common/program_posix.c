#include "program.h"

#include "file.h"
#include "system.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

/* Handles a signal that ends the program; every other signal is blocked. */
static void end_by_signal(int number)
{
    /* No other thread opens a file from now on. A file that one is just opening may stay for the next
     * writer to remove. */
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_NOFILE, &none);
    nk_file_remove_unfinished();
    raise(number); /* SA_RESETHAND has restored the default action */
    sigset_t this;
    sigemptyset(&this);
    sigaddset(&this, number);
    pthread_sigmask(SIG_UNBLOCK, &this, NULL);
    _exit(128 + number); /* for the first process of a container, which the default action does not end */
}

void nk_program_begin(void)
{
    static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    nk_system_fill_standard();
    signal(SIGXFSZ, SIG_IGN);
    struct sigaction action = {.sa_handler = end_by_signal, .sa_flags = (int)SA_RESETHAND}, old;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(deadly[i], &action, NULL);
}
