/* Makes operations fail, so that a test can have each of them fail in turn: loaded into a program with LD_PRELOAD and
 * controlled by the environment.
 *
 *   FAULT         what fails: alloc, open, read, write, fsync, rename, close; clock: the time of day goes backwards
 *                 from the beginning
 *   FAULT_NUMBER  which of them, from 1
 *   FAULT_HOW     "once", "on": this one and all after it, "other": every second one from this one on
 *   FAULT_ERRNO   the errno (a number); 0: half of what was asked for is done
 *   FAULT_SIGNAL  the process gets this signal (a number) before the operation, which succeeds
 *   FAULT_MARK    a file to which a line is written when it happens, and another one at the end of main: how many blocks
 *                 are allocated
 *
 * All that the program and the libraries it calls allocate counts, from main's begin to its end: what measures coverage
 * writes its files after that. Of standard input and output what the C library does within itself cannot be reached; the
 * functions that the program calls can: fopen; fread, getline and getc; fflush; fclose count as open, read, write and
 * close. */

#undef _FORTIFY_SOURCE /* it brings functions of its own in the place of those that are replaced here */

#undef _FILE_OFFSET_BITS /* else open and open64 would be one function here, which they are not there */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* The C library's own, under the names it keeps for those who replace them. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

enum kind { ALLOC, OPEN, READ, WRITE, FSYNC, RENAME, CLOSE, CLOCK, KINDS };
static const char *const kinds[KINDS] = {"alloc", "open",   "read",  "write",
                                         "fsync", "rename", "close", "clock"};

enum verdict { WELL, FAIL, SHORT };

static int chosen = -1; /* kind */
static long number;
static bool goes_on, is_other;
static int why, signal_number;
static const char *mark;
static atomic_long count, live;

static void begin(void)
{
    const char *kind = getenv("FAULT"), *how = getenv("FAULT_HOW");
    if (!kind)
        return;
    mark = getenv("FAULT_MARK");
    number = atol(getenv("FAULT_NUMBER"));
    is_other = strcmp(how, "other") == 0;
    goes_on = is_other || strcmp(how, "on") == 0;
    why = atoi(getenv("FAULT_ERRNO"));
    signal_number = atoi(getenv("FAULT_SIGNAL"));
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kind, kinds[k]) == 0)
            chosen = k;
}

static void report(const char *format, long value)
{
    char line[32];
    const int length = snprintf(line, sizeof line, format, value);
    const long file = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    syscall(SYS_write, file, line, length);
    syscall(SYS_close, file);
}

static int (*program)(int, char **, char **);

static int between(int count_of_arguments, char **arguments, char **environment)
{
    begin();
    const long before = atomic_load(&live);
    const int status = program(count_of_arguments, arguments, environment);
    chosen = -1;
    if (mark)
        report("blocks %ld\n", atomic_load(&live) - before);
    return status;
}

/* What the C library calls first of all. */
typedef int starter(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                    void (*)(void), void *);
EXPORT starter __libc_start_main;
EXPORT int __libc_start_main(int (*program_main)(int, char **, char **), int count_of_arguments,
                             char **arguments, void (*init)(void), void (*fini)(void),
                             void (*loader_fini)(void), void *stack_end)
{
    starter *next;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    program = program_main;
    return next(between, count_of_arguments, arguments, init, fini, loader_fini, stack_end);
}

static enum verdict judge(enum kind kind)
{
    if ((int)kind != chosen)
        return WELL;
    const long now = atomic_fetch_add(&count, 1) + 1;
    if (now != number && !(goes_on && now > number && (!is_other || (now - number) % 2 == 0)))
        return WELL;
    if (now == number)
        report("fault %ld\n", now);
    if (signal_number) {
        kill(getpid(), signal_number);
        return WELL;
    }
    errno = why;
    return why ? FAIL : SHORT;
}

/* ---- memory ---- */

static void *counted(void *block)
{
    if (block)
        atomic_fetch_add(&live, 1);
    return block;
}

EXPORT void *malloc(size_t size)
{
    return judge(ALLOC) == FAIL ? NULL : counted(__libc_malloc(size));
}

EXPORT void *calloc(size_t times, size_t size)
{
    return judge(ALLOC) == FAIL ? NULL : counted(__libc_calloc(times, size));
}

EXPORT void *realloc(void *block, size_t size)
{
    if (judge(ALLOC) == FAIL)
        return NULL;
    void *moved = __libc_realloc(block, size);
    return block ? moved : counted(moved);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return judge(ALLOC) == FAIL ? NULL : counted(__libc_memalign(alignment, size));
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *fresh = aligned_alloc(alignment, size);
    if (!fresh)
        return ENOMEM;
    *block = fresh;
    return 0;
}

EXPORT void free(void *block)
{
    if (block)
        atomic_fetch_sub(&live, 1);
    __libc_free(block);
}

/* ---- files ---- */

static size_t part(enum verdict verdict, size_t length)
{
    return verdict == SHORT && length > 1 ? length / 2 : length;
}

static int open_file(const char *path, int flags, mode_t mode)
{
    return judge(OPEN) == FAIL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static mode_t mode_of(int flags, va_list more)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

#define OPENER(name)                                  \
    EXPORT int name(const char *path, int flags, ...) \
    {                                                 \
        va_list more;                                 \
        va_start(more, flags);                        \
        const mode_t mode = mode_of(flags, more);     \
        va_end(more);                                 \
        return open_file(path, flags, mode);          \
    }
OPENER(open)
OPENER(open64)

EXPORT int __open64_2(const char *path, int flags);
EXPORT int __open64_2(const char *path, int flags)
{
    return open_file(path, flags, 0);
}

EXPORT ssize_t read(int file, void *bytes, size_t length)
{
    const enum verdict verdict = judge(READ);
    return verdict == FAIL ? -1 : syscall(SYS_read, file, bytes, part(verdict, length));
}

EXPORT ssize_t __read_chk(int file, void *bytes, size_t length, size_t room);
EXPORT ssize_t __read_chk(int file, void *bytes, size_t length, size_t room)
{
    (void)room;
    return read(file, bytes, length);
}

EXPORT ssize_t pread64(int file, void *bytes, size_t length, off64_t offset)
{
    const enum verdict verdict = judge(READ);
    return verdict == FAIL ? -1 : syscall(SYS_pread64, file, bytes, part(verdict, length), offset);
}

EXPORT ssize_t __pread64_chk(int file, void *bytes, size_t length, off64_t offset, size_t room);
EXPORT ssize_t __pread64_chk(int file, void *bytes, size_t length, off64_t offset, size_t room)
{
    (void)room;
    return pread64(file, bytes, length, offset);
}

EXPORT ssize_t write(int file, const void *bytes, size_t length)
{
    const enum verdict verdict = judge(WRITE);
    return verdict == FAIL ? -1 : syscall(SYS_write, file, bytes, part(verdict, length));
}

EXPORT ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset)
{
    const enum verdict verdict = judge(WRITE);
    return verdict == FAIL ? -1 : syscall(SYS_pwrite64, file, bytes, part(verdict, length), offset);
}

EXPORT int fsync(int file)
{
    (void)file; /* no power is lost in a test, and a disk takes its time */
    return judge(FSYNC) == FAIL ? -1 : 0;
}

EXPORT int rename(const char *from, const char *to)
{
    return judge(RENAME) == FAIL ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* A close that fails has closed the file all the same. */
EXPORT int close(int file)
{
    const int done = (int)syscall(SYS_close, file);
    return judge(CLOSE) == FAIL ? -1 : done;
}

/* ---- the clock ---- */

EXPORT int clock_gettime(clockid_t clock, struct timespec *time)
{
    static atomic_long asked;
    const int done = (int)syscall(SYS_clock_gettime, clock, time);
    if (chosen == CLOCK && clock == CLOCK_REALTIME)
        time->tv_sec -= 1000 * (atomic_fetch_add(&asked, 1) + 1);
    return done;
}

EXPORT time_t time(time_t *seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds)
        *seconds = now.tv_sec;
    return now.tv_sec;
}

EXPORT int gettimeofday(struct timeval *restrict when, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *when = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

/* ---- streams ---- */

/* The function that would be called if this file were not there. */
#define NEXT(name)          \
    __typeof__(&name) next; \
    *(void **)&next = dlsym(RTLD_NEXT, #name)

/* Streams do not try again after an interruption, so none of them is interrupted. */
static bool stream_fails(FILE *stream, enum kind kind)
{
    const bool fails = judge(kind) == FAIL && errno != EINTR;
    if (fails && stream)
        stream->_flags |= 0x20; /* what ferror looks at */
    return fails;
}

EXPORT FILE *fopen64(const char *path, const char *mode)
{
    NEXT(fopen64);
    return judge(OPEN) == FAIL ? NULL : next(path, mode);
}

EXPORT size_t fread(void *bytes, size_t size, size_t items, FILE *stream)
{
    NEXT(fread);
    return stream_fails(stream, READ) ? 0 : next(bytes, size, items, stream);
}

EXPORT size_t __fread_chk(void *bytes, size_t room, size_t size, size_t items, FILE *stream);
EXPORT size_t __fread_chk(void *bytes, size_t room, size_t size, size_t items, FILE *stream)
{
    (void)room;
    return fread(bytes, size, items, stream);
}

EXPORT ssize_t getline(char **line, size_t *room, FILE *stream)
{
    NEXT(getline);
    return stream_fails(stream, READ) ? -1 : next(line, room, stream);
}

EXPORT int fflush(FILE *stream)
{
    NEXT(fflush);
    return stream_fails(stream, WRITE) ? EOF : next(stream);
}

EXPORT int fclose(FILE *stream)
{
    NEXT(fclose);
    const int done = next(stream);
    return judge(CLOSE) == FAIL ? EOF : done;
}

EXPORT int getc(FILE *stream)
{
    NEXT(getc);
    return stream_fails(stream, READ) ? EOF : next(stream);
}

EXPORT int getchar(void)
{
    return getc(stdin);
}
