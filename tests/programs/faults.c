/* Makes operations fail, so that a test can have each of them fail in turn: loaded into a program with LD_PRELOAD and
 * controlled by the environment.
 *
 *   FAULT         what fails: alloc, open, read, write, fsync, rename, close; clock: the time of day goes backwards
 *                 from the beginning
 *   FAULT_NUMBER  which of them, from 1; 0: none, but FAULT_MARK gets the numbers of those that are worth a fault
 *   FAULT_HOW     "once", "on": this one and all after it, "other": every second one from this one on
 *   FAULT_ERRNO   the errno (a number); 0: half of what was asked for is done
 *   FAULT_SIGNAL  the process gets this signal (a number) before the operation, which succeeds
 *   FAULT_MARK    a file to which a line is written when it happens, and another one at the end of main: how many blocks
 *                 are allocated
 *
 * Of the operations to which the same chain of calls within the program leads, as in a loop or in a library, the first
 * two and the last are worth a fault.
 *
 * All that the program and the libraries it calls allocate counts, from main's begin to its end: what measures coverage
 * writes its files after that. Of standard input and output what the C library does within itself cannot be reached; the
 * functions that the program calls can: fopen; fread and getc; fflush; fclose count as open, read, write and
 * close. */

#undef _FORTIFY_SOURCE   /* it brings functions of its own in the place of those that are replaced here */
#undef _FILE_OFFSET_BITS /* else open and open64 would be one function here, which they are not there */

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Declares a function that replaces one of the C library, which may have no declaration, and begins its definition. */
#define REPLACE(type, name, ...)                                   \
    __attribute__((visibility("default"))) type name(__VA_ARGS__); \
    __attribute__((visibility("default"))) type name(__VA_ARGS__)

/* The C library's own, under the names it keeps for those who replace them. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

enum kind { ALLOC, OPEN, READ, WRITE, FSYNC, RENAME, CLOSE, CLOCK, KINDS };
static const char *const kinds[KINDS] = {"alloc", "open",   "read",  "write",
                                         "fsync", "rename", "close", "clock"};

static int chosen = -1; /* kind */
static long number;
static bool goes_on, is_other;
static int why, signal_number;
static const char *mark;
static atomic_long count, live;
static int (*program)(int, char **, char **);

/* The operations to which a chain of calls within the program leads. */
enum { DEPTH = 40, CHAINS = 1000 };
static struct chain {
    uintptr_t hash;
    long numbers[3]; /* of the first, the second and the last; 0: none */
} chains[CHAINS + 1];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void report(const char *format, long value)
{
    char line[32];
    const int length = snprintf(line, sizeof line, format, value);
    const long file = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    syscall(SYS_write, file, line, length);
    syscall(SYS_close, file);
}

/* Notes an operation of the kind that fails. */
static void note(long now)
{
    void *calls[DEPTH];
    struct chain *chain = chains;
    uintptr_t hash = 0;
    Dl_info here, called;
    const int depth = backtrace(calls, DEPTH);
    dladdr(*(void **)&program, &here);
    for (int n = 0; n < depth; n++)
        if (dladdr(calls[n], &called) && called.dli_fbase == here.dli_fbase)
            hash = hash * 31 + (uintptr_t)calls[n];
    pthread_mutex_lock(&lock);
    while (chain < chains + CHAINS - 1 && chain->numbers[0] && chain->hash != hash)
        chain++;
    chain->hash = hash;
    chain->numbers[!chain->numbers[0] ? 0 : !chain->numbers[1] ? 1 : 2] = now;
    pthread_mutex_unlock(&lock);
}

static int between(int count_of_arguments, char **arguments, char **environment)
{
    const char *kind = getenv("FAULT"), *how = getenv("FAULT_HOW");
    if (!kind)
        return program(count_of_arguments, arguments, environment);
    mark = getenv("FAULT_MARK");
    number = atol(getenv("FAULT_NUMBER"));
    is_other = strcmp(how, "other") == 0;
    goes_on = is_other || strcmp(how, "on") == 0;
    why = atoi(getenv("FAULT_ERRNO"));
    signal_number = atoi(getenv("FAULT_SIGNAL"));
    void *calls[1];
    backtrace(calls, 1); /* allocates when it is called first */
    const long before = atomic_load(&live);
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kind, kinds[k]) == 0)
            chosen = k;
    const int status = program(count_of_arguments, arguments, environment);
    chosen = -1;
    for (const struct chain *chain = chains; chain->numbers[0]; chain++)
        for (int n = 0; n < 3; n++)
            if (chain->numbers[n])
                report("fault %ld\n", chain->numbers[n]);
    report("blocks %ld\n", atomic_load(&live) - before);
    return status;
}

/* The function that would be called if this file were not there. */
#define NEXT(name)          \
    __typeof__(&name) next; \
    *(void **)&next = dlsym(RTLD_NEXT, #name)

/* What the C library calls first of all. */
REPLACE(int, __libc_start_main, int (*program_main)(int, char **, char **), int count_of_arguments,
        char **arguments, void (*init)(void), void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
    NEXT(__libc_start_main);
    program = program_main;
    return next(between, count_of_arguments, arguments, init, fini, loader_fini, stack_end);
}

/* Returns how much of `length` is to be done: all, half, or, with errno set, -1. */
static ssize_t judge(enum kind kind, size_t length)
{
    if ((int)kind != chosen)
        return (ssize_t)length;
    const long now = atomic_fetch_add(&count, 1) + 1;
    if (!number)
        note(now);
    const bool follows = goes_on && now > number && (!is_other || (now - number) % 2 == 0);
    if (!number || (now != number && !follows))
        return (ssize_t)length;
    if (now == number)
        report("fault %ld\n", now);
    if (signal_number) {
        kill(getpid(), signal_number);
        return (ssize_t)length;
    }
    errno = why;
    return why ? -1 : (ssize_t)(length > 1 ? length / 2 : length);
}

static bool fails(enum kind kind)
{
    return judge(kind, 0) < 0;
}

/* ---- memory ---- */

static void *counted(void *block)
{
    if (block)
        atomic_fetch_add(&live, 1);
    return block;
}

REPLACE(void *, malloc, size_t size)
{
    return fails(ALLOC) ? NULL : counted(__libc_malloc(size));
}

REPLACE(void *, calloc, size_t times, size_t size)
{
    return fails(ALLOC) ? NULL : counted(__libc_calloc(times, size));
}

REPLACE(void *, realloc, void *block, size_t size)
{
    if (fails(ALLOC))
        return NULL;
    void *moved = __libc_realloc(block, size);
    return block ? moved : counted(moved);
}

REPLACE(void *, aligned_alloc, size_t alignment, size_t size)
{
    return fails(ALLOC) ? NULL : counted(__libc_memalign(alignment, size));
}

REPLACE(void, free, void *block)
{
    if (block)
        atomic_fetch_sub(&live, 1);
    __libc_free(block);
}

/* ---- files ---- */

static int open_file(const char *path, int flags, va_list more)
{
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
    return fails(OPEN) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define OPENER(name)                                     \
    REPLACE(int, name, const char *path, int flags, ...) \
    {                                                    \
        va_list more;                                    \
        va_start(more, flags);                           \
        const int file = open_file(path, flags, more);   \
        va_end(more);                                    \
        return file;                                     \
    }
OPENER(open)
OPENER(open64)
OPENER(__open64_2)

/* `part` is how much of `length` is to be done. */
#define TRANSFER(kind, name, call, ...)           \
    REPLACE(ssize_t, name, __VA_ARGS__)           \
    {                                             \
        const ssize_t part = judge(kind, length); \
        return part < 0 ? -1 : call;              \
    }
#define IN int file, void *bytes, size_t length
#define OUT int file, const void *bytes, size_t length
TRANSFER(READ, read, syscall(SYS_read, file, bytes, part), IN)
TRANSFER(READ, __read_chk, ((void)room, syscall(SYS_read, file, bytes, part)), IN, size_t room)
TRANSFER(READ, pread64, syscall(SYS_pread64, file, bytes, part, offset), IN, off64_t offset)
TRANSFER(READ, __pread64_chk, ((void)room, syscall(SYS_pread64, file, bytes, part, offset)), IN,
         off64_t offset, size_t room)
TRANSFER(WRITE, write, syscall(SYS_write, file, bytes, part), OUT)
TRANSFER(WRITE, pwrite64, syscall(SYS_pwrite64, file, bytes, part, offset), OUT, off64_t offset)

REPLACE(int, fsync, int file)
{
    (void)file; /* no power is lost in a test, and a disk takes its time */
    return fails(FSYNC) ? -1 : 0;
}

REPLACE(int, rename, const char *from, const char *to)
{
    return fails(RENAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* A close that fails has closed the file all the same. */
REPLACE(int, close, int file)
{
    const int done = (int)syscall(SYS_close, file);
    return fails(CLOSE) ? -1 : done;
}

/* ---- the clock ---- */

REPLACE(int, clock_gettime, clockid_t clock, struct timespec *time)
{
    static atomic_long asked;
    const int done = (int)syscall(SYS_clock_gettime, clock, time);
    if (chosen == CLOCK && clock == CLOCK_REALTIME)
        time->tv_sec -= 1000 * (atomic_fetch_add(&asked, 1) + 1);
    return done;
}

REPLACE(time_t, time, time_t *seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds)
        *seconds = now.tv_sec;
    return now.tv_sec;
}

/* ---- streams ---- */

/* Streams do not try again after an interruption, so none of them is interrupted. */
static bool stream_fails(FILE *stream, enum kind kind)
{
    const bool failed = fails(kind) && errno != EINTR;
    if (failed && stream)
        stream->_flags |= 0x20; /* what ferror looks at */
    return failed;
}

REPLACE(FILE *, fopen64, const char *path, const char *mode)
{
    NEXT(fopen64);
    return fails(OPEN) ? NULL : next(path, mode);
}

REPLACE(size_t, fread, void *bytes, size_t size, size_t items, FILE *stream)
{
    NEXT(fread);
    return stream_fails(stream, READ) ? 0 : next(bytes, size, items, stream);
}

REPLACE(size_t, __fread_chk, void *bytes, size_t room, size_t size, size_t items, FILE *stream)
{
    return room < size * items ? 0 : fread(bytes, size, items, stream);
}

REPLACE(int, fflush, FILE *stream)
{
    NEXT(fflush);
    return stream_fails(stream, WRITE) ? EOF : next(stream);
}

REPLACE(int, fclose, FILE *stream)
{
    NEXT(fclose);
    const int done = next(stream);
    return fails(CLOSE) ? EOF : done;
}

REPLACE(int, getc, FILE *stream)
{
    NEXT(getc);
    return stream_fails(stream, READ) ? EOF : next(stream);
}
