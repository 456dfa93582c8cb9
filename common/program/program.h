/* Initialisation of the programs. It changes how the process handles signals, so no library calls it. */
#ifndef NK_PROGRAM_H
#define NK_PROGRAM_H

#include <stdatomic.h>

/* Fills the standard streams that are closed (see nk_system_fill_standard). Makes a write beyond the file size
 * limit fail with EFBIG instead of ending the program. Makes SIGHUP, SIGINT, SIGQUIT and SIGTERM remove the
 * incomplete files of this process before they end it, unless they were ignored. */
void nk_program_begin(void);

/* Makes the first SIGINT, which is Ctrl-C, set *interrupted, and the second one end the program as nk_program_begin has
 * prepared. One that is ignored remains so. */
void nk_program_catch_interrupt(atomic_bool *interrupted);

#endif
