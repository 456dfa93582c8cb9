/* The directory of a log: created if it does not exist, locked against other runs, and removed by the run that created
 * it if it is empty then. */
#ifndef NK_DIRECTORY_H
#define NK_DIRECTORY_H

#include "common/base/status.h"

#include <stdbool.h>

struct nk_directory {
    char *path;   /* NULL if it is not open */
    int lock;     /* its file descriptor, or -1 in a process that shares it */
    bool is_made; /* whether this run has created it */
};

/* Creates the directory if it does not exist, and locks it. NK_E_BUSY if another run uses it; NK_E_WRITE, NK_E_READ,
 * NK_E_MEMORY, with a message in *error (may be NULL). The caller closes it in any case. */
enum nk_status nk_directory_open(const char *path, struct nk_directory *directory, struct nk_error *error);

/* Opens the directory in the other processes of the run that locks it, without touching it. NK_E_MEMORY, with a message
 * in *error (may be NULL). The caller closes it in any case. */
enum nk_status nk_directory_join(const char *path, struct nk_directory *directory, struct nk_error *error);

/* Also removes the directory if this run created it and it is empty. Accepts one that is not open. */
void nk_directory_close(struct nk_directory *directory);

/* open(2) and unlink(2) for a file of the directory at this path. ENOMEM too. */
int nk_directory_open_file(const char *path, const char *name, int flags);
bool nk_directory_remove_file(const char *path, const char *name);

#endif
