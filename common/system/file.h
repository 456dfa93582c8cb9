/* Writing files atomically, and reading and writing at an offset. */
#ifndef NK_FILE_H
#define NK_FILE_H

#include "common/base/status.h"

#include "common/system/system.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* False where a program has no files: in a browser. Code for files then depends on this constant, so that the compiler
 * leaves it out. With one call of open or close, even in a function that is not used, some versions of the C library
 * for WebAssembly need the files of a host. */
#ifdef __wasm__
enum { NK_HAS_FILES = false };
#else
enum { NK_HAS_FILES = true };
#endif

/* A file that is being written, atomically: it is written under a temporary name in the same directory, flushed to
 * the disk and renamed. Only a process that ends at once leaves that name. The file keeps the owner, the group and
 * the permissions of one that was there when the writer was opened, as far as the system permits it. Links are
 * followed when the writer is opened, also to a file that does not exist yet. A device, a pipe or standard output is
 * opened and gets all bytes when the writer is closed. One thread at a time may use a writer; a process may have 16.
 *
 * No file is replaced unless this is forced, at whatever time it appears. Then whatever is there when the writer is
 * closed is replaced.
 *
 * Errors are NK_E_WRITE with the reason in *error (may be NULL), and NK_E_MEMORY. The caller frees an open writer
 * with nk_writer_close or nk_writer_abandon. */
struct nk_writer;

/* Whether a path stands for standard output or input: "-". */
static inline bool nk_file_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Decides whether the path may be written, and finds out whether it can be; there is no new file before something is
 * written. The path "-" stands for standard output. `force`: a file may be replaced. Without it, NK_E_EXISTS for one
 * that "exists: choose another file, or replace it with --force", and NK_E_WRITE where the file system has no operation
 * that gives a file a name only if no other file has it. */
enum nk_status nk_writer_open(const char *path, bool force, struct nk_writer **writer,
                              struct nk_error *error);

/* Whether the bytes go to a device, a pipe or standard output. */
bool nk_writer_has_device(const struct nk_writer *writer);

/* Adds bytes at the end. */
enum nk_status nk_writer_append(struct nk_writer *writer, const void *bytes, size_t length,
                                struct nk_error *error);

/* Replaces bytes that were written before. */
enum nk_status nk_writer_replace(struct nk_writer *writer, uint64_t offset, const void *bytes, size_t length,
                                 struct nk_error *error);

/* Gives the file its name and frees the writer. After a failure the old file is unchanged, and the writer is freed as
 * well. NK_E_EXISTS without `force` if a file has appeared, or a file is where a device was. Sets *checksum (may be
 * NULL) to the XXH3-64 of the whole file. */
enum nk_status nk_writer_close(struct nk_writer *writer, uint64_t *checksum, struct nk_error *error);

/* Frees the writer and leaves the old file, if there is one, as it was. NULL is allowed. */
void nk_writer_abandon(struct nk_writer *writer);

/* Writes a whole file: open, append, close. */
enum nk_status nk_file_write(const char *path, bool force, const void *bytes, size_t length,
                             struct nk_error *error);

/* Creates the directories in which a file will be, as far as they are missing, for this user only, as the XDG
 * specification demands. NK_E_WRITE, NK_E_MEMORY. */
enum nk_status nk_file_make_directories(const char *path, struct nk_error *error);

/* What identifies the content of a file. */
struct nk_file_digest {
    uint64_t bytes;    /* size of the file */
    uint64_t checksum; /* XXH3-64 of all of it */
};

/* Reads or writes `length` bytes of an open file at an offset. False after a failure, with the reason in errno; 0
 * stands for a file that ends before. Any number of threads may do this. */
static inline bool nk_file_read_at(int file, void *bytes, size_t length, uint64_t offset)
{
    for (size_t at = 0; at < length;) {
        const ptrdiff_t done = nk_system_read_at(file, (char *)bytes + at, length - at, offset + at);
        if (done == 0)
            errno = 0;
        if (done <= 0)
            return false;
        at += (size_t)done;
    }
    return true;
}

static inline bool nk_file_write_at(int file, const void *bytes, size_t length, uint64_t offset)
{
    for (size_t at = 0; at < length;) {
        const ptrdiff_t done = nk_system_write_at(file, (const char *)bytes + at, length - at, offset + at);
        if (done < 0)
            return false;
        at += (size_t)done;
    }
    return true;
}

/* For a signal handler that ends the program: removes the temporary files of all writers. It calls only functions that
 * are allowed there. */
void nk_file_remove_unfinished(void);

#endif
