/* What differs between operating systems, and what is built on it: writing files, work divided among threads, arrays.
 *
 * system_posix.c and system_windows.c define the functions whose names begin with nk_system_, and system_wasm.c those
 * that WebAssembly needs, which has neither files nor threads. Besides, only NK_HAS_FILES, the threads in
 * resources.c, the lock in common/table/read.c, compression.c next to it, and files of programs with such endings
 * depend on the system. Paths are UTF-8. */
#ifndef NK_SYSTEM_H
#define NK_SYSTEM_H

#include "common/base/base.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the process and the machine ---- */

/* The path of a file or directory with this name among the user's files of a kind, those of Neutreeko, which the caller
 * frees. It is in the directory that a variable such as XDG_DATA_HOME has if this is an absolute path, or else in the
 * default, which is in the home directory under the given path if the system has none of its own. NULL, with errno, if
 * there is no such directory (0) or memory runs out (ENOMEM). */
char *nk_system_user_path(const char *variable, const char *below_home, const char *name);

/* The number of processors that this process may use; at least 1. */
int nk_system_processors(void);

/* The bytes of memory that new programs can use, or an estimate, within the limits of the control groups of this
 * process; 0 if the system does not report them. */
uint64_t nk_system_available_memory(void);

/* The bytes that the control groups of Linux, of version 1 or 2, leave this process, as in a container, without those
 * that the kernel will take for it; at least 1, and UINT64_MAX without a limit. `root` is the directory that has proc/
 * and sys/: "" for those of the system. Only on POSIX systems; outside of system_posix.c, only tests use it. */
uint64_t nk_system_group_memory(const char *root);

/* Sets *bytes to the free space on the disk with this directory. Returns false if it is unknown. */
bool nk_system_free_space(const char *directory, uint64_t *bytes);

/* Monotonic time in seconds. */
double nk_system_now(void);

/* What a value of errno means, in words. Unlike strerror, several threads may call it at once. */
struct nk_text nk_system_error(int number);

/* Returns a number that differs from run to run. */
uint64_t nk_system_random(void);

/* Returns zeroed memory, or NULL. If it is much, it is in large pages where the system has them, and takes up none
 * before it is written. The caller frees it with nk_system_free, with the same size. */
void *nk_system_allocate(size_t bytes);
void nk_system_free(void *memory, size_t bytes);

/* ---- files: functions return -1 or false after a failure, with the reason in errno ---- */

/* 0 where a program has no files: in a browser. Code for files that WebAssembly would also have depends on this
 * constant, so that the compiler leaves it out: a single call of open or close, even in a function that is not used,
 * makes some versions of the C library for WebAssembly need the files of a host. */
#ifdef __wasm__
#define NK_HAS_FILES 0
#else
#define NK_HAS_FILES 1
#endif

/* Opens a file as open(2) does, so that it is not inherited by other programs, and without waiting for a pipe or a
 * device that is read. */
int nk_system_open(const char *path, int flags);

/* For a program that ends without a message when nobody reads the pipe that it writes any more. On Windows, no signal
 * ends it: right after each write that fails, nk_system_note_lost_reader remembers whether this was the reason, and
 * nk_system_has_lost_reader tells whether it ever was. */
void nk_system_note_lost_reader(void);
bool nk_system_has_lost_reader(void);

/* Opens a file for reading, as fopen(3) does. NULL after a failure. */
FILE *nk_system_open_stream(const char *path);

/* For the start of a program: if standard input, output or error is closed, opens a file there that fails when it is
 * used, so that a file opened later is not mistaken for it. */
void nk_system_open_missing_streams(void);

/* The path to which the links at the end of a path lead, which the caller frees; the file need not exist. NULL after a
 * failure. */
char *nk_system_follow_links(const char *path);

/* Creates a file that does not exist, for reading and writing; `is_private` permits only the user to read it. */
int nk_system_create(const char *path, bool is_private);

/* Gives a file, which may be open, another name in its directory, atomically. If a file has that name, it is replaced
 * if `replaces` is set; otherwise this fails with EEXIST, and with ENOTSUP where the system cannot decide this
 * atomically. Windows permits it only while no other program, such as a virus scanner, has the file open: there, it is
 * tried again for two seconds. */
bool nk_system_rename(const char *from, const char *to, bool replaces);

/* Removes a file; on Windows as nk_system_rename renames one. Signal handlers may call it. */
bool nk_system_remove(const char *path);

/* Describe what is at a path, as stat(2) and access(2) do. */
bool nk_system_stat(const char *path, struct stat *about);
bool nk_system_access(const char *path, int mode);

/* Begins to list the names of what is in a directory; NULL after a failure. The next name, without "." and "..", is
 * valid until the next call; NULL at the end. The caller ends the list, which may be NULL. */
struct nk_listing *nk_system_list(const char *directory);
const char *nk_system_next_name(struct nk_listing *listing);
void nk_system_end_list(struct nk_listing *listing);

/* Waits until the name of a file, or of a directory, is on the disk, if the file system can do this. */
void nk_system_flush_directory(const char *path);

/* Whether this user is permitted to replace a file by nk_system_rename; true if that is unknown. `old` describes the
 * file. */
bool nk_system_may_replace(const char *path, const struct stat *old);

/* Creates a file for reading and writing that has no name and is removed when it is closed or the process ends, however
 * it ends: in the directory of a path, or for NULL where the system has temporary files. */
int nk_system_create_unnamed(const char *path);

/* Read and write at an offset as pread(2) and pwrite(2) do. Any number of threads may do this. They write less than all
 * bytes only if the next call will report why. */
ptrdiff_t nk_system_read_at(int file, void *bytes, size_t length, uint64_t offset);
ptrdiff_t nk_system_write_at(int file, const void *bytes, size_t length, uint64_t offset);

/* Makes an open file at least that many bytes long, with space on the disk if the system can reserve it. */
bool nk_system_reserve(int file, uint64_t bytes);

/* Lets the system read a part of a file in advance, if it can. */
void nk_system_prefetch(int file, uint64_t offset, uint64_t bytes);

/* Waits until all that was written to an open file is on the disk. */
bool nk_system_flush(int file);

/* Gives an open file the owner, the group and the permissions of another one, as far as the user is permitted to. */
void nk_system_copy_permissions(int file, const struct stat *other);

/* When the content of a file was changed, in nanoseconds since 1970. */
int64_t nk_system_change_time(const struct stat *file);

/* The last component of a path. */
const char *nk_system_file_name(const char *path);

/* Creates a directory in one that exists, whose name survives a power failure if the file system can do this;
 * `is_private` permits only the user to use it. */
bool nk_system_make_directory(const char *path, bool is_private);

/* Locks a directory against other processes, and returns the lock; fails with EWOULDBLOCK if one has locked it. On a
 * file system without locks, as some in networks are, the lock has no effect. nk_system_unlock_directory frees the lock
 * and also removes the directory, if that is requested and it is empty. */
int nk_system_lock_directory(const char *path);
void nk_system_unlock_directory(int lock, const char *path, bool removes);

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

/* Whether a path stands for standard output or input: "-". */
static inline bool nk_file_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* ---- terminals ---- */

bool nk_system_is_terminal(FILE *stream);

/* Whether the stream is a terminal with a cursor and colours, which escape sequences control. */
bool nk_system_is_screen(FILE *stream);

/* The width of a terminal; 80 if it is unknown. */
int nk_system_columns(FILE *stream);

/* Whether terminals show UTF-8. */
bool nk_system_has_utf8(void);

/* Whether a read of a file returns at once: it has bytes, or has ended. */
bool nk_system_has_input(int file);

/* Whether anybody may still read what is written to a file: false for a pipe that nobody has open for reading. Always
 * true on Windows, which does not tell. */
bool nk_system_has_reader(int file);

/* ---- writing files (file.c), for programs only ---- */

/* A file that is being written, atomically: it is written under a temporary name in the same directory, flushed to
 * the disk and renamed. Only a process that ends at once leaves that name. The file keeps the owner, the group and
 * the permissions of one that was there when the writer was opened, as far as the system permits it. Links are
 * followed when the writer is opened, also to a file that does not exist yet. A device, a pipe or standard output is
 * opened and gets all bytes when the writer is closed. One thread at a time may use a writer; a process may have 15.
 *
 * No file is replaced unless this is forced, at whatever time it appears. Then whatever is there when the writer is
 * closed is replaced.
 *
 * Errors are NK_E_WRITE with the reason in *error (may be NULL), and NK_E_MEMORY. The caller frees an open writer
 * with nk_writer_commit or nk_writer_abandon. */
struct nk_writer;

/* Decides whether the path may be written, and finds out whether it can be; there is no new file before something is
 * written. The path "-" stands for standard output. `force`: a file may be replaced. Without it, NK_E_EXISTS for one
 * that "exists: choose another file, or replace it with --force", and NK_E_WRITE where the file system has no operation
 * that gives a file a name only if no other file has it. */
enum nk_status nk_writer_open(const char *path, bool force, struct nk_writer **writer,
                              struct nk_error *error);

/* Whether the bytes go to a device, a pipe or standard output. */
bool nk_writer_is_stream(const struct nk_writer *writer);

/* Adds bytes at the end. */
enum nk_status nk_writer_append(struct nk_writer *writer, const void *bytes, size_t length,
                                struct nk_error *error);

/* Replaces bytes that were written before. */
enum nk_status nk_writer_write_at(struct nk_writer *writer, uint64_t offset, const void *bytes, size_t length,
                                  struct nk_error *error);

/* Has standard output write to the file from now on; what was printed before has been flushed. The caller flushes
 * standard output before nk_writer_commit, and then prints nothing. */
enum nk_status nk_writer_redirect(struct nk_writer *writer, struct nk_error *error);

/* Gives the file its name and frees the writer. After a failure the old file is unchanged, and the writer is freed as
 * well. NK_E_EXISTS without `force` if a file has appeared, or a file is where a device was. Sets *checksum (may be
 * NULL) to the XXH3-64 of the whole file. */
enum nk_status nk_writer_commit(struct nk_writer *writer, uint64_t *checksum, struct nk_error *error);

/* Frees the writer and leaves the old file, if there is one, as it was. NULL is allowed. */
void nk_writer_abandon(struct nk_writer *writer);

/* Writes a whole file: open, append, close. */
enum nk_status nk_file_write(const char *path, bool force, const void *bytes, size_t length,
                             struct nk_error *error);

/* Creates the directories in which a file will be, as far as they are missing, for this user only, as the XDG
 * specification demands. The path is not empty. NK_E_WRITE, NK_E_MEMORY. */
enum nk_status nk_file_make_directories(const char *path, struct nk_error *error);

/* For a signal handler that ends the program: removes the temporary files of all writers. It calls only functions that
 * are allowed there. */
void nk_file_remove_unfinished(void);

/* ---- work divided among threads ---- */

/* Does one item of the work. `worker` is a number below the number of threads that no other thread has at the
 * same time. */
typedef void nk_work(void *context, uint32_t item, int worker);

/* Calls work(context, item, worker) once for every item below `items`, by up to `threads` threads (at most 256), one of
 * which is the caller, and returns when all items are done. Items begin in their order, so one may wait for what an
 * earlier one does. If the system does not provide as many threads, fewer do all the work. */
void nk_parallel(int threads, uint32_t items, nk_work *work, void *context);

/* ---- arrays ---- */

enum { NK_ALIGNMENT = 64 }; /* bytes: of the widest vectors, and of a line of the cache */

/* The arrays of a structure are added first, which adds up their bytes, and allocated afterwards: what is planned is
 * what is used. All of them are freed together. */
struct nk_array {
    void *place;     /* of the pointer to the first element */
    void *allocated; /* of which the array is a part, or NULL */
    uint64_t bytes;  /* with those for aligning it */
};

enum { NK_MAX_ARRAYS = 32 };

/* Zeroed, this is empty. For one thread at a time. */
struct nk_memory {
    uint64_t bytes; /* of all arrays */
    struct nk_array arrays[NK_MAX_ARRAYS];
    int count;
};

/* Adds an array with `count` elements of `size` bytes. `place` is the address of the pointer that will point to it; it
 * must not move until the array is freed. */
void nk_memory_add(struct nk_memory *memory, void *place, uint64_t count, size_t size);

/* Allocates the arrays that were added since the last call, and sets their pointers. Their elements are zero; they are
 * aligned by NK_ALIGNMENT and, if they are large and the system has them, in large pages. Returns false if memory runs
 * out; nk_memory_free then frees the others. */
bool nk_memory_allocate(struct nk_memory *memory);

/* Frees all arrays, sets their pointers to NULL, and forgets them. */
void nk_memory_free(struct nk_memory *memory);

/* ---- vectors ---- */

/* The kernels of the analysis and of the verifier are compiled once for each width.
 *
 * nk_vector_bytes returns the width in bytes of the vectors to use: `wanted` (16, 32 or 64), or the widest for 0. It
 * returns 0 if this processor does not support vectors of that width, with the instructions of
 * solver/analysis/meson.build for them. Any number of threads may call it. */
int nk_vector_bytes(int wanted);

/* Of the kernels name_16, name_32 and name_64, the address of the one for vectors of `bytes`; NULL for 0. Those for 32
 * and 64 bytes exist on x86-64 only. */
#ifdef __x86_64__
#define NK_KERNEL_FOR(bytes, name) \
    ((bytes) == 64 ? &name##_64 : (bytes) == 32 ? &name##_32 : (bytes) == 16 ? &name##_16 : NULL)
#else
#define NK_KERNEL_FOR(bytes, name) ((bytes) == 16 ? &name##_16 : NULL)
#endif

/* Before a loop of few steps, whose number is a constant when the loop is compiled. */
#ifdef __clang__
#define NK_UNROLL _Pragma("clang loop unroll(full)")
#else
#define NK_UNROLL _Pragma("GCC unroll 8")
#endif

#endif
