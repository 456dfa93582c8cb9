/* What the programs do first. It changes how the process handles signals, so no library calls it. */
#ifndef NK_PROGRAM_H
#define NK_PROGRAM_H

/* Fills the standard streams that are closed. Makes a write beyond the file size limit fail (EFBIG) instead
 * of ending the program. Has the signals that ask the program to end remove the files that it is writing
 * first; signals that were ignored stay ignored. */
void nk_program_begin(void);

#endif
