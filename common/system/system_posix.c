/* What common/system/system.h declares, on POSIX systems. */

#include "common/system/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* common/meson.build looks for what not every system has, and defines NK_HAS_... for what it finds. */
#ifdef NK_HAS_SCHED_GETAFFINITY
#include <sched.h>
#endif
#ifdef NK_HAS_GETENTROPY
#include <sys/random.h>
#endif
#ifdef NK_HAS_XLOCALE_H
#include <xlocale.h>
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* ---- the process and the machine ---- */

char *nk_system_user_path(const char *variable, const char *below_home, const char *name)
{
    const char *named = getenv(variable), *home = getenv("HOME");
    /* The specification of these variables ignores relative paths. */
    const bool is_named = named && *named == '/';
    char *path;
    errno = 0;
    if (!is_named && (!home || !*home))
        return NULL;
    if (asprintf(&path, "%s%s/neutreeko/%s", is_named ? named : home, is_named ? "" : below_home, name) >= 0)
        return path;
    errno = ENOMEM;
    return NULL;
}

struct nk_text nk_system_error(int number)
{
    char room[sizeof(struct nk_text)] = "unknown error";
#ifdef __GLIBC__ /* whose function returns the text, and may leave the room as it is */
    return nk_text_of("%s", strerror_r(number, room, sizeof room));
#else
    (void)strerror_r(number, room, sizeof room);
    return nk_text_of("%s", room);
#endif
}

int nk_system_processors(void)
{
#ifdef NK_HAS_SCHED_GETAFFINITY
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

enum { LONGEST_PATH = 4096 };

/* The number after the first `label` that begins a line of a file, or `none`: a control group without a limit has the
 * word "max" or a number that no machine reaches. */
static uint64_t read_number(const char *directory, const char *name, const char *label, uint64_t none)
{
    char path[LONGEST_PATH + 32], line[128], *end = line;
    uint64_t number = none;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    while (file && end == line && fgets(line, sizeof line, file))
        if (strncmp(line, label, strlen(label)) == 0)
            number = strtoull(line + strlen(label), &end, 10);
    if (file)
        fclose(file);
    return end > line + strlen(label) && number <= INT64_MAX / 2 ? number : none;
}

/* The least that a control group and those that it is in leave. In a container `path` may be one outside it: then only
 * the directory of all groups exists, which has the limits of the container. Files in memory that were not used lately
 * do not count: the system removes them. */
static uint64_t left_in_groups(const char *root, bool is_version_1, const char *path)
{
    const char *const top = is_version_1 ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup";
    const char *const limit_name = is_version_1 ? "memory.limit_in_bytes" : "memory.max";
    const char *const used_name = is_version_1 ? "memory.usage_in_bytes" : "memory.current";
    const char *const cached_name = is_version_1 ? "total_inactive_file" : "inactive_file";
    char group[LONGEST_PATH], *slash = group;
    uint64_t least = UINT64_MAX;
    snprintf(group, sizeof group, "%s%s%s", root, top, path);
    while (slash) { /* up to the root of the file system: directories above the groups have no such files */
        const uint64_t limit = read_number(group, limit_name, "", UINT64_MAX);
        const uint64_t used = read_number(group, used_name, "", 0);
        const uint64_t cached = read_number(group, "memory.stat", cached_name, 0);
        const uint64_t needed = used > cached ? used - cached : 0, left = limit > needed ? limit - needed : 1;
        if (limit != UINT64_MAX && left < least)
            least = left;
        if ((slash = strrchr(group, '/')))
            *slash = '\0';
    }
    return least;
}

/* What remains of the memory that a group leaves when the kernel has taken its share of it: for the tables of the
 * pages, and for what is written to files and not yet on the disk. With less than 3 MiB of it, a process that wrote a
 * checkpoint in a group of 146 MiB was killed. */
static uint64_t without_kernel_share(uint64_t left)
{
    const uint64_t files = left / 16;
    return left - left / 256 - (files < 4 << 20 ? files : 4 << 20);
}

uint64_t nk_system_group_memory(const char *root)
{
    char path[LONGEST_PATH], line[LONGEST_PATH];
    uint64_t least = UINT64_MAX;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    while (file &&
           fgets(line, sizeof line, file)) { /* "0::/path" in version 2, "4:cpu,memory:/path" in version 1 */
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        const bool is_version_1 = *++controllers;
        if (is_version_1 && !strstr(controllers, "memory"))
            continue;
        const uint64_t left = left_in_groups(root, is_version_1, group);
        least = left < least ? left : least;
    }
    if (file)
        fclose(file);
    return least == UINT64_MAX ? least : without_kernel_share(least);
}

/* What Linux calls available; elsewhere half of all memory. */
static uint64_t unused_memory(void)
{
    const uint64_t kilobytes = read_number("/proc", "meminfo", "MemAvailable:", 0);
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (kilobytes)
        return kilobytes * 1024;
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 2 : 0;
}

uint64_t nk_system_available_memory(void)
{
    const uint64_t unused = unused_memory(), permitted = nk_system_group_memory("");
    if (permitted == UINT64_MAX)
        return unused;
    return unused && unused < permitted ? unused : permitted;
}

bool nk_system_free_space(const char *directory, uint64_t *bytes)
{
    struct statvfs disk;
    if (statvfs(directory, &disk))
        return false;
    *bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    return true;
}

double nk_system_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

uint64_t nk_system_random(void)
{
    uint64_t number = (uint64_t)time(NULL); /* good enough where the system has nothing better */
#ifdef NK_HAS_GETENTROPY
    (void)!getentropy(&number, sizeof number);
#endif
    return number;
}

/* From this size on, memory is mapped: a large page has as many bytes. */
enum { MAPPED = 1 << 21 };

static void *map(size_t bytes)
{
    void *mapped =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(mapped, bytes, MADV_HUGEPAGE);
#endif
    return mapped;
}

/* Asks the system for all pages of memory that is about to be written. It takes longer, in some virtual machines twice
 * as long, to provide each when it is first written. Not all systems can provide them at once. */
static void provide(void *memory, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    const size_t before = (uintptr_t)memory % (uintptr_t)sysconf(_SC_PAGESIZE); /* in its first page */
    (void)madvise((char *)memory - before, before + bytes, MADV_POPULATE_WRITE);
#else
    (void)memory;
    (void)bytes;
#endif
}

void *nk_system_allocate(size_t bytes)
{
    void *memory = bytes < MAPPED ? malloc(bytes) : map(bytes);
    if (!memory || bytes >= MAPPED)
        return memory;
    provide(memory, bytes);
    return memset(memory, 0, bytes);
}

void nk_system_free(void *memory, size_t bytes)
{
    if (bytes < MAPPED)
        free(memory);
    else if (memory)
        (void)munmap(memory, bytes);
}

/* ---- files ---- */

void nk_system_note_lost_reader(void) {}

bool nk_system_has_lost_reader(void)
{
    return false;
}

FILE *nk_system_open_stream(const char *path)
{
    return fopen(path, "rb");
}

void nk_system_open_missing_streams(void)
{
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}

int nk_system_open(const char *path, int flags)
{
    const int more = (flags & O_ACCMODE) == O_RDONLY ? O_CLOEXEC | O_NONBLOCK : O_CLOEXEC;
    return open(path, flags | more, 0666);
}

/* The path of the directory that a file or a directory is in, which the caller frees, or NULL. */
static char *directory_of(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length && path[length - 1] != '/')
        length--;
    return length ? strndup(path, length) : strdup(".");
}

char *nk_system_follow_links(const char *path)
{
    enum { MOST_LINKS = 40 };
    char target[4096], *followed = strdup(path);
    for (int links = 0; followed && links <= MOST_LINKS; links++) {
        const ssize_t length = readlink(followed, target, sizeof target - 1);
        if (length < 0 && (errno == EINVAL || errno == ENOENT)) /* not a link, or it does not exist */
            return followed;
        char *next = NULL;
        if (length > 0) {
            const int before = *target == '/' ? 0 : (int)(nk_system_file_name(followed) - followed);
            if (asprintf(&next, "%.*s%.*s", before, followed, (int)length, target) < 0)
                next = NULL;
        }
        free(followed);
        followed = next;
    }
    return followed;
}

int nk_system_create(const char *path, bool is_private)
{
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, is_private ? 0600 : 0666);
}

/* Where the system cannot create a file without a name, the name is removed at once. */
static int create_unnamed_in(const char *directory)
{
    char *path;
#ifdef O_TMPFILE
    const int unnamed = open(directory, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (unnamed >= 0)
        return unnamed;
#endif
    if (asprintf(&path, "%s/.new-%016llx", directory, (unsigned long long)nk_system_random()) < 0) {
        errno = ENOMEM;
        return -1;
    }
    const int file = nk_system_create(path, true);
    const int why = errno;
    if (file >= 0)
        (void)unlink(path);
    free(path);
    errno = why;
    return file;
}

int nk_system_create_unnamed(const char *path)
{
    if (path) {
        char *directory = directory_of(path);
        const int file = directory ? create_unnamed_in(directory) : -1;
        const int why = errno;
        free(directory);
        errno = why;
        return file;
    }
    FILE *unnamed = tmpfile();
    const int file = unnamed ? fcntl(fileno(unnamed), F_DUPFD_CLOEXEC, 3) : -1;
    const int why = errno;
    if (unnamed)
        fclose(unnamed);
    errno = why;
    return file;
}

/* Renames without replacing a file, where the system has a function for it; otherwise fails with ENOSYS. */
static bool rename_exclusively(const char *from, const char *to)
{
#if defined NK_HAS_RENAMEAT2
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;
#elif defined NK_HAS_RENAMEATX_NP
    return renameatx_np(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCL) == 0;
#else
    (void)from, (void)to;
    errno = ENOSYS;
    return false;
#endif
}

bool nk_system_rename(const char *from, const char *to, bool replaces)
{
    if (replaces)
        return rename(from, to) == 0;
    if (rename_exclusively(from, to))
        return true;
    if (errno != ENOSYS && errno != EINVAL && errno != ENOTSUP)
        return false;
    if (link(from, to) == 0) {
        (void)unlink(from);
        return true;
    }
    if (errno == EPERM || errno == ENOSYS || errno == EINVAL) /* no links either */
        errno = ENOTSUP;
    return false;
}

bool nk_system_remove(const char *path)
{
    return unlink(path) == 0;
}

bool nk_system_stat(const char *path, struct stat *about)
{
    return stat(path, about) == 0;
}

bool nk_system_access(const char *path, int mode)
{
    return access(path, mode) == 0;
}

struct nk_listing *nk_system_list(const char *directory)
{
    return (struct nk_listing *)opendir(directory);
}

const char *nk_system_next_name(struct nk_listing *listing)
{
    const struct dirent *entry;
    do
        entry = readdir((DIR *)listing);
    while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry ? entry->d_name : NULL;
}

void nk_system_end_list(struct nk_listing *listing)
{
    if (listing)
        closedir((DIR *)listing);
}

void nk_system_flush_directory(const char *path)
{
    char *directory = directory_of(path);
    const int file = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(directory);
    if (file < 0)
        return;
    (void)fsync(file);
    close(file);
}

/* In a directory with the sticky bit, as /tmp is, only the owner of the file or of the directory may rename over it. */
bool nk_system_may_replace(const char *path, const struct stat *old)
{
    struct stat parent;
    const uid_t user = geteuid();
    char *directory = directory_of(path);
    const bool may = !user || user == old->st_uid || !directory || stat(directory, &parent) != 0 ||
                     !(parent.st_mode & S_ISVTX) || user == parent.st_uid;
    free(directory);
    return may;
}

ptrdiff_t nk_system_read_at(int file, void *bytes, size_t length, uint64_t offset)
{
    ssize_t done;
    do
        done = pread(file, bytes, length, (off_t)offset);
    while (done < 0 && errno == EINTR);
    return done;
}

ptrdiff_t nk_system_write_at(int file, const void *bytes, size_t length, uint64_t offset)
{
    ssize_t done;
    do
        done = pwrite(file, bytes, length, (off_t)offset);
    while (done < 0 && errno == EINTR);
    return done;
}

bool nk_system_reserve(int file, uint64_t bytes)
{
#ifdef NK_HAS_POSIX_FALLOCATE
    errno = posix_fallocate(file, 0, (off_t)bytes);
    return errno == 0;
#else
    return ftruncate(file, (off_t)bytes) == 0;
#endif
}

void nk_system_prefetch(int file, uint64_t offset, uint64_t bytes)
{
#ifdef NK_HAS_POSIX_FADVISE
    (void)posix_fadvise(file, (off_t)offset, (off_t)bytes, POSIX_FADV_WILLNEED);
#else
    (void)file, (void)offset, (void)bytes;
#endif
}

bool nk_system_flush(int file)
{
    return fsync(file) == 0;
}

void nk_system_copy_permissions(int file, const struct stat *other)
{
    mode_t mode = other->st_mode & 0777;
    if (fchown(file, other->st_uid, other->st_gid) && fchown(file, (uid_t)-1, other->st_gid))
        mode = (mode & 0707) | (mode & 0007) << 3; /* another group gets the permissions of others */
    (void)fchmod(file, mode);
}

int64_t nk_system_change_time(const struct stat *file)
{
#ifdef NK_HAS_ST_MTIM
    return (int64_t)file->st_mtim.tv_sec * 1000000000 + file->st_mtim.tv_nsec;
#else
    return (int64_t)file->st_mtime * 1000000000;
#endif
}

const char *nk_system_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool nk_system_make_directory(const char *path, bool is_private)
{
    if (mkdir(path, is_private ? 0700 : 0777))
        return false;
    nk_system_flush_directory(path);
    return true;
}

int nk_system_lock_directory(const char *path)
{
    const int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0 && flock(directory, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        close(directory);
        errno = EWOULDBLOCK;
        return -1;
    }
    return directory;
}

void nk_system_unlock_directory(int lock, const char *path, bool removes)
{
    if (removes)
        (void)rmdir(path);
    close(lock);
}

/* ---- terminals ---- */

bool nk_system_is_terminal(FILE *stream)
{
    return isatty(fileno(stream));
}

bool nk_system_is_screen(FILE *stream)
{
    const char *name = getenv("TERM");
    return isatty(fileno(stream)) && name && *name && strcmp(name, "dumb") != 0;
}

int nk_system_columns(FILE *stream)
{
    struct winsize size = {0};
    (void)ioctl(fileno(stream), TIOCGWINSZ, &size);
    return size.ws_col ? size.ws_col : 80;
}

bool nk_system_has_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    const bool utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    if (locale)
        freelocale(locale);
    return utf8;
}

bool nk_system_has_input(int file)
{
    struct pollfd input = {.fd = file, .events = POLLIN};
    return poll(&input, 1, 0) > 0;
}

bool nk_system_has_reader(int file)
{
    struct pollfd output = {.fd = file};
    return poll(&output, 1, 0) <= 0 || !(output.revents & (POLLERR | POLLHUP));
}
