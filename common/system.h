/* What differs between operating systems: system_posix.c and system_windows.c define these functions, and no other file
 * depends on the system. Paths are UTF-8. Functions that set errno do so as the functions of POSIX. */
#ifndef NK_SYSTEM_H
#define NK_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The path of the running program, which the caller frees. NULL if the system does not provide it or memory runs out. */
char *nk_system_program(void);

/* The directory of the user's files of a kind, which the caller frees: the value of a variable such as XDG_DATA_HOME if it
 * is an absolute path, or else the default, which is in the home directory under the given path if the system has none of
 * its own. NULL if there is none or memory runs out. */
char *nk_system_user_directory(const char *variable, const char *below_home);

/* The default of XDG_DATA_DIRS. */
extern const char nk_system_data_directories[];

/* The number of processors that this process may use; at least 1. */
int nk_system_processors(void);

/* The bytes of memory that new programs can use, or an estimate. */
uint64_t nk_system_available_memory(void);

/* Sets *bytes to the free space on the disk with this directory. Returns false if it is unknown. */
bool nk_system_free_space(const char *directory, uint64_t *bytes);

/* Returns a number that differs from run to run. */
uint64_t nk_system_random(void);

/* Returns zeroed memory, in large pages if the system has them, or NULL. Memory that is never written takes up none. The
 * caller frees it with nk_system_unmap, with the same size. */
void *nk_system_map(size_t bytes);
void nk_system_unmap(void *memory, size_t bytes);

#endif
