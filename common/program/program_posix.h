/* Signals of a program on a POSIX system. */
#ifndef NK_PROGRAM_POSIX_H
#define NK_PROGRAM_POSIX_H

#include <stdbool.h>
#include <termios.h>

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
void nk_program_keep_terminal(const struct termios *settings);

#endif
