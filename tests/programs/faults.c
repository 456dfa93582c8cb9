/* Makes operations fail, so that a test can have each of them fail in turn: loaded into a program with LD_PRELOAD and
 * controlled by the environment variable FAULT, "KIND NUMBER EVERY ERRNO SIGNAL FILE":
 *
 *   KIND    what fails: alloc, open, read, write, fsync, rename or close. Or, and nothing fails: clock: the time of day
 *           goes back whenever it is asked for; space: NUMBER bytes of the disk are free; memory: there are NUMBER
 *           pages of memory and reports no more about it, not even these if negative; order: FILE gets a line for
 *           each read, write, fsync, rename and reservation of space instead, whose fields, the kind, the paths and the
 *           bytes reserved, are separated by tabs
 *   NUMBER  which of them, from 1; 0: none, but all are reported
 *   EVERY   after that one each EVERYth fails, too
 *   ERRNO   how it fails; 0: half of what was asked for is done
 *   SIGNAL  not 0: the process gets this signal before the operation, which succeeds
 *   FILE    gets a line, with a hash of the chain of calls within the program, for operation NUMBER when it fails (or
 *           for all), and another one at the end of main: how many blocks are allocated
 *
 * All that the program and the libraries it calls allocate counts, from main's begin to its end: what measures coverage
 * writes its files after that. Of standard input and output what the C library does within itself cannot be reached;
 * the functions that the program calls can. */

#undef _FORTIFY_SOURCE   /* it brings functions of its own in the place of those that are replaced here */
#undef _FILE_OFFSET_BITS /* else open and open64 would be one function here, which they are not there */

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Declares a function that replaces one of the C library, which may have no declaration, and begins its definition. */
#define REPLACE(type, name, parameters)                          \
    __attribute__((visibility("default"))) type name parameters; \
    __attribute__((visibility("default"))) type name parameters

/* Replaces it by one that returns the expression. */
#define REPLACE_BY(type, name, parameters, expression) \
    REPLACE(type, name, parameters)                    \
    {                                                  \
        return expression;                             \
    }

/* The function that would be called if this file were not there. */
#define NEXT(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

/* The C library's own, under the names it keeps for those who replace them. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static char chosen[8]; /* kind */
static long number, every;
static int why, signal_number;
static char file_name[4096];
static atomic_long count, live;
static int (*program)(int, char **, char **);
static uintptr_t begin, end; /* of the program's addresses */

static void append(const char *line, size_t length)
{
    const long file =
        syscall(SYS_openat, AT_FDCWD, file_name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    syscall(SYS_write, file, line, length);
    syscall(SYS_close, file);
}

/* Finds the addresses of the program, the first of all objects: to ask for the object of each address takes long. */
static int find_program(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    begin = info->dlpi_addr;
    for (int n = 0; n < info->dlpi_phnum; n++)
        if (info->dlpi_phdr[n].p_type == PT_LOAD)
            end = begin + info->dlpi_phdr[n].p_vaddr + info->dlpi_phdr[n].p_memsz;
    return 1;
}

static void report(const char *what, long value)
{
    enum { DEPTH = 40 };
    void *calls[DEPTH];
    char line[64];
    uintptr_t hash = 0;
    const int depth = backtrace(calls, DEPTH);
    for (int n = 0; n < depth; n++)
        if ((uintptr_t)calls[n] >= begin && (uintptr_t)calls[n] < end)
            hash = hash * 31 + (uintptr_t)calls[n];
    const int length = snprintf(line, sizeof line, "%s %ld %jx\n", what, value, (uintmax_t)hash);
    append(line, (size_t)length);
}

enum { MOST_PATH = 4096 };

static bool is_order(void)
{
    return strcmp(chosen, "order") == 0;
}

/* The path of an open file. */
static void get_path(int file, char path[MOST_PATH])
{
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, MOST_PATH - 1);
    path[length > 0 ? length : 0] = '\0';
}

/* Reports the operation before it is done. */
static void note(const char *what, int file)
{
    char path[MOST_PATH], line[MOST_PATH + 16];
    if (!is_order())
        return;
    get_path(file, path);
    append(line, (size_t)snprintf(line, sizeof line, "%s\t%s\n", what, path));
}

static void note_reservation(int file, off64_t bytes)
{
    char path[MOST_PATH], line[MOST_PATH + 64];
    if (!is_order())
        return;
    get_path(file, path);
    append(line, (size_t)snprintf(line, sizeof line, "reserve\t%s\t%jd\n", path, (intmax_t)bytes));
}

static void note_rename(const char *from, const char *to)
{
    char line[2 * MOST_PATH + 16];
    if (is_order())
        append(line, (size_t)snprintf(line, sizeof line, "rename\t%s\t%s\n", from, to));
}

static int between(int argc, char **argv, char **environment)
{
    char kind[sizeof chosen];
    const char *fault = getenv("FAULT");
    if (!fault || sscanf(fault, "%7s %ld %ld %d %d %4095[^\n]", kind, &number, &every, &why, &signal_number,
                         file_name) != 6)
        return program(argc, argv, environment);
    void *calls[1];
    backtrace(calls, 1); /* allocates when it is called first */
    dl_iterate_phdr(find_program, NULL);
    const long before = live;
    strcpy(chosen, kind);
    const int status = program(argc, argv, environment);
    *chosen = '\0';
    report("blocks", live - before);
    return status;
}

/* What the C library calls first of all. */
REPLACE(int, __libc_start_main,
        (int (*program_main)(int, char **, char **), int argc, char **argv, void (*init)(void),
         void (*fini)(void), void (*loader_fini)(void), void *stack_end))
{
    program = program_main;
    return NEXT(__libc_start_main)(between, argc, argv, init, fini, loader_fini, stack_end);
}

/* Returns false, with errno set, if the operation is to fail; it may have to do half of its length only. */
static bool works(const char *kind, size_t *length)
{
    if (strcmp(kind, chosen) != 0)
        return true;
    const long after = ++count - number;
    if (!number || !after)
        report("fault", number + after);
    if (!number || after < 0 || after % every != 0)
        return true;
    if (signal_number)
        return raise(signal_number) == 0;
    if (!why && *length > 1)
        *length /= 2;
    errno = why;
    return !why;
}

static bool fails(const char *kind)
{
    return !works(kind, &(size_t){0});
}

/* ---- memory ---- */

static void *counted(void *block)
{
    live += block != NULL;
    return block;
}

REPLACE_BY(void *, malloc, (size_t size), fails("alloc") ? NULL : counted(__libc_malloc(size)))
REPLACE_BY(void *, calloc, (size_t times, size_t size),
           fails("alloc") ? NULL : counted(__libc_calloc(times, size)))
REPLACE_BY(void *, realloc, (void *block, size_t size),
           fails("alloc") ? NULL
           : block        ? __libc_realloc(block, size)
                          : counted(__libc_malloc(size)))

REPLACE(void, free, (void *block))
{
    live -= block != NULL;
    __libc_free(block);
}

/* ---- files ---- */

REPLACE(int, openat64, (int directory, const char *path, int flags, ...))
{
    va_list more;
    va_start(more, flags);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return fails("open") ? -1 : (int)syscall(SYS_openat, directory, path, flags, mode);
}

REPLACE(int, open64, (const char *path, int flags, ...))
{
    va_list more;
    va_start(more, flags);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return openat64(AT_FDCWD, path, flags, mode);
}

REPLACE_BY(int, __open64_2, (const char *path, int flags), open64(path, flags, 0))
REPLACE_BY(int, __openat64_2, (int directory, const char *path, int flags),
           openat64(directory, path, flags, 0))

/* A function that transfers up to `length` bytes; with an offset more in the second case. */
#define TRANSFER(name, type, number)                                              \
    REPLACE(ssize_t, name, (int file, type bytes, size_t length))                 \
    {                                                                             \
        note(#name, file);                                                        \
        return works(#name, &length) ? syscall(number, file, bytes, length) : -1; \
    }
#define TRANSFER_AT(name, kind, type, number)                                            \
    REPLACE(ssize_t, name, (int file, type bytes, size_t length, off64_t offset))        \
    {                                                                                    \
        note(kind, file);                                                                \
        return works(kind, &length) ? syscall(number, file, bytes, length, offset) : -1; \
    }
TRANSFER(read, void *, SYS_read)
TRANSFER(write, const void *, SYS_write)
TRANSFER_AT(pread64, "read", void *, SYS_pread64)
TRANSFER_AT(pwrite64, "write", const void *, SYS_pwrite64)

/* No power is lost in a test, and a disk takes its time. */
REPLACE(int, fsync, (int file))
{
    note("fsync", file);
    return file < 0 || fails("fsync") ? -1 : 0;
}

/* With paths, as the programs do. */
REPLACE(int, renameat2, (int directory, const char *from, int to_directory, const char *to, unsigned flags))
{
    note_rename(from, to);
    return fails("rename") ? -1 : (int)syscall(SYS_renameat2, directory, from, to_directory, to, flags);
}

REPLACE_BY(int, rename, (const char *from, const char *to), renameat2(AT_FDCWD, from, AT_FDCWD, to, 0))

REPLACE(int, posix_fallocate64, (int file, off64_t offset, off64_t bytes))
{
    note_reservation(file, bytes);
    return NEXT(posix_fallocate64)(file, offset, bytes);
}

REPLACE(int, statvfs64, (const char *path, struct statvfs64 *disk))
{
    const int status = NEXT(statvfs64)(path, disk);
    if (strcmp(chosen, "space") == 0)
        disk->f_bavail = (fsblkcnt64_t)number / disk->f_frsize;
    return status;
}

/* A close that fails has closed the file all the same. */
REPLACE_BY(int, close, (int file), syscall(SYS_close, file) < 0 || fails("close") ? -1 : 0)
REPLACE_BY(int, fclose, (FILE * stream), NEXT(fclose)(stream) != 0 || fails("close") ? EOF : 0)

/* ---- the clock ---- */

REPLACE(int, clock_gettime, (clockid_t clock, struct timespec *time))
{
    static atomic_long asked;
    const int done = (int)syscall(SYS_clock_gettime, clock, time);
    if (strcmp(chosen, "clock") == 0 && clock == CLOCK_REALTIME)
        time->tv_sec -= 1000 * ++asked;
    return done;
}

/* ---- streams ---- */

/* Streams do not try again after an interruption, so none of them is interrupted. */
static bool stream_fails(FILE *stream, const char *kind)
{
    const bool failed = fails(kind) && errno != EINTR;
    if (failed && stream)
        stream->_flags |= 0x20; /* what ferror looks at */
    return failed;
}

REPLACE_BY(FILE *, fopen64, (const char *path, const char *mode),
           fails("open") || (strcmp(chosen, "memory") == 0 && strcmp(path, "/proc/meminfo") == 0)
               ? NULL
               : NEXT(fopen64)(path, mode))

REPLACE_BY(long, sysconf, (int name),
           strcmp(chosen, "memory") == 0 && name == _SC_PHYS_PAGES ? number : NEXT(sysconf)(name))
REPLACE_BY(size_t, fread, (void *bytes, size_t size, size_t items, FILE *stream),
           stream_fails(stream, "read") ? 0 : NEXT(fread)(bytes, size, items, stream))
REPLACE_BY(int, fflush, (FILE * stream), stream_fails(stream, "write") ? EOF : NEXT(fflush)(stream))
REPLACE_BY(int, getc, (FILE * stream), stream_fails(stream, "read") ? EOF : NEXT(getc)(stream))
