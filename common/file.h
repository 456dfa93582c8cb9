/* Writing files whole, and the standard streams. */
#ifndef NK_FILE_H
#define NK_FILE_H

#include "status.h"

#include <stdint.h>

/* A file being written. It appears under its name whole, on disk, or not at all: it is written beside it,
 * flushed and renamed. It keeps the owner, the group and the permissions of a file that it replaces, as far
 * as this is permitted. A name that stands for a device or a pipe gets the bytes at the end. One thread at a
 * time may use a writer.
 *
 * Every function returns NK_E_WRITE with the reason in *error (may be NULL), or NK_E_MEMORY. The caller hands
 * an open writer to nk_writer_close or to nk_writer_abandon, which frees it. */
struct nk_writer;

enum nk_status nk_writer_open(const char *path, struct nk_writer **writer, struct nk_error *error);

/* Adds bytes at the end. */
enum nk_status nk_writer_append(struct nk_writer *writer, const void *bytes, size_t length,
                                struct nk_error *error);

/* Replaces bytes that were written before. */
enum nk_status nk_writer_replace(struct nk_writer *writer, uint64_t offset, const void *bytes, size_t length,
                                 struct nk_error *error);

/* Puts the file in its place. When that fails the old file stays, and the writer is freed all the same.
 * *checksum (may be NULL) is the XXH3-64 of all of it. */
enum nk_status nk_writer_close(struct nk_writer *writer, uint64_t *checksum, struct nk_error *error);

/* Leaves everything as it was before. NULL is allowed. */
void nk_writer_abandon(struct nk_writer *writer);

/* Writes a file at once: open, append, close. */
enum nk_status nk_file_write(const char *path, const void *bytes, size_t length, struct nk_error *error);

struct nk_file {
    uint64_t bytes;    /* size of the file */
    uint64_t checksum; /* XXH3-64 of all of it */
};

/* Sets *file to size and checksum of a file. NK_E_READ, NK_E_MEMORY. */
enum nk_status nk_file_describe(const char *path, struct nk_file *file, struct nk_error *error);

/* Removes the file of this name in an open directory if it was left there by a writer that was killed. A file
 * that is being written stays. One process at a time may sweep a directory. */
void nk_file_sweep(int directory, const char *name);

/* For a signal handler that ends the program: removes all files that this process is writing. It calls only
 * functions that are allowed there. */
void nk_file_remove_unfinished(void);

/* For the beginning of a program: where standard input, output or error is closed, puts something there that
 * fails when it is used, so that no file opened later is taken for it. */
void nk_file_fill_standard(void);

#endif
