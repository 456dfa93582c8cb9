#include "common/system/system.h"

#include "common/base/strbuf.h"
#include "common/system/cgroup.h"

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
#ifdef NK_HAS_GETAUXVAL
#include <sys/auxv.h>
#endif
#ifdef NK_HAS_GETENTROPY
#include <sys/random.h>
#endif
#ifdef NK_HAS_XLOCALE_H
#include <xlocale.h>
#endif
#ifdef NK_HAS__NSGETEXECUTABLEPATH
#include <mach-o/dyld.h>
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* ---- the process and the machine ---- */

char *nk_system_program_path(void)
{
#ifdef NK_HAS__NSGETEXECUTABLEPATH
    char path[4096];
    uint32_t size = sizeof path;
    return _NSGetExecutablePath(path, &size) == 0 ? realpath(path, NULL) : NULL;
#else
    /* Of Linux, FreeBSD and NetBSD, as far as /proc is mounted. */
    static const char *const links[] = {"/proc/self/exe", "/proc/curproc/file", "/proc/curproc/exe"};
    char *path = NULL;
    for (size_t i = 0; i < sizeof links / sizeof links[0] && !path; i++)
        path = realpath(links[i], NULL);
#ifdef NK_HAS_GETAUXVAL
    const unsigned long address = getauxval(AT_EXECFN); /* a pointer, or 0 */
    const char *started;
    memcpy(&started, &address, sizeof started);
    if (!path && started)
        path = realpath(started, NULL);
#endif
    return path;
#endif
}

const char nk_system_data_directories[] = "/usr/local/share:/usr/share", nk_system_separator[] = ":";

bool nk_system_is_absolute(const char *path)
{
    return *path == '/';
}

char *nk_system_user_directory(const char *variable, const char *below_home)
{
    const char *named = getenv(variable), *home = getenv("HOME");
    char *directory = NULL;
    if (named &&
        nk_system_is_absolute(named)) /* the specification of these variables ignores relative paths */
        return strdup(named);
    return home && *home && asprintf(&directory, "%s%s", home, below_home) >= 0 ? directory : NULL;
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

/* What Linux calls available; elsewhere half of all memory. */
static uint64_t unused_memory(void)
{
    static const char label[] = "MemAvailable:";
    unsigned long long kilobytes = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (!kilobytes && file && fgets(line, sizeof line, file))
        if (strncmp(line, label, strlen(label)) == 0)
            kilobytes = strtoull(line + strlen(label), NULL, 10);
    if (file)
        fclose(file);
    if (kilobytes)
        return kilobytes * 1024;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 2 : 0;
}

uint64_t nk_system_available_memory(void)
{
    const uint64_t unused = unused_memory(), permitted = nk_cgroup_memory("");
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

void *nk_system_map(size_t bytes)
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

void nk_system_unmap(void *memory, size_t bytes)
{
    if (memory)
        (void)munmap(memory, bytes);
}

/* ---- files ---- */

void nk_system_fill_standard(void)
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

/* The path of the directory that a file is in, which the caller frees, or NULL. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

/* Opens the directory of the path of a place. One that may not be listed can still hold files. */
static bool open_directory(struct nk_place *place)
{
    char *directory = directory_of(place->path);
    if (!directory)
        return false;
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
#ifdef O_PATH
    if (file < 0 && errno == EACCES)
        file = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
#endif
    const int why = errno;
    free(directory);
    if (place->directory >= 0)
        close(place->directory);
    place->directory = file;
    place->name = nk_system_file_name(place->path);
    errno = why;
    return file >= 0;
}

/* Replaces the path of a place by the one to which a link with this name leads. */
static bool follow(struct nk_place *place, const char *target)
{
    const int before = *target == '/' ? 0 : (int)(place->name - place->path);
    char *path;
    if (asprintf(&path, "%.*s%s", before, place->path, target) < 0) {
        errno = ENOMEM;
        return false;
    }
    free(place->path);
    place->path = path;
    return true;
}

bool nk_system_open_place(const char *path, struct nk_place *place)
{
    enum { MOST_LINKS = 40 };
    char target[4096];
    *place = (struct nk_place){-1, strdup(path), NULL};
    if (!place->path)
        return false;
    for (int links = 0; links <= MOST_LINKS; links++) {
        if (!open_directory(place))
            return false;
        const ssize_t length = readlinkat(place->directory, place->name, target, sizeof target - 1);
        if (length < 0)
            return errno == EINVAL || errno == ENOENT; /* not a link, or it does not exist */
        target[length] = '\0';
        if (!follow(place, target))
            return false;
    }
    errno = ELOOP;
    return false;
}

void nk_system_close_place(struct nk_place *place)
{
    if (place->directory >= 0)
        close(place->directory);
    free(place->path);
    *place = (struct nk_place){-1, NULL, NULL};
}

/* The directory in which a name is looked up: see system.h. */
static int directory_in(const struct nk_place *place)
{
    return place ? place->directory : AT_FDCWD;
}

bool nk_system_look(const struct nk_place *place, const char *name, struct nk_seen *seen)
{
    *seen = (struct nk_seen){0};
    seen->exists = fstatat(directory_in(place), name, &seen->about, AT_SYMLINK_NOFOLLOW) == 0;
    seen->device = (uint64_t)seen->about.st_dev;
    seen->number = (uint64_t)seen->about.st_ino;
    return seen->exists || errno == ENOENT;
}

/* Whether the name is that of the open file. */
static bool is_named(int file, const struct nk_place *place, const char *name)
{
    struct stat opened;
    struct nk_seen seen;
    return fstat(file, &opened) == 0 && nk_system_look(place, name, &seen) && seen.exists &&
           opened.st_dev == seen.about.st_dev && opened.st_ino == seen.about.st_ino;
}

/* A locked file belongs to a live process. Fails when nk_system_remove_abandoned came between the creation of the file
 * and the lock. Where the file system has no locks, nothing is abandoned either. */
int nk_system_create(const struct nk_place *place, const char *name, bool is_private)
{
    const int file =
        openat(directory_in(place), name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, is_private ? 0600 : 0666);
    if (file < 0 ||
        ((flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && is_named(file, place, name)))
        return file;
    close(file);
    errno = EEXIST;
    return -1;
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
    const int file = nk_system_create(NULL, path, true);
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

void nk_system_remove_abandoned(const struct nk_place *place, const char *name)
{
    /* Not a link, and without waiting for a pipe. Not for writing: of such files nk_file_remove_unfinished assumes that
     * this process creates them. */
    const int file = openat(directory_in(place), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    /* If its writer has just finished, or another process has removed it, the name may be that of the next file by now.
     * Otherwise it stays that of this file as long as it is locked here. */
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_named(file, place, name))
        (void)nk_system_remove(place, name);
    close(file);
}

bool nk_system_remove(const struct nk_place *place, const char *name)
{
    return unlinkat(directory_in(place), name, 0) == 0;
}

/* Renames without replacing a file, where the system has a function for it; otherwise fails with ENOSYS. */
static bool rename_exclusively(int directory, const char *from, const char *to)
{
#if defined NK_HAS_RENAMEAT2
    return renameat2(directory, from, directory, to, RENAME_NOREPLACE) == 0;
#elif defined NK_HAS_RENAMEATX_NP
    return renameatx_np(directory, from, directory, to, RENAME_EXCL) == 0;
#else
    (void)directory, (void)from, (void)to;
    errno = ENOSYS;
    return false;
#endif
}

/* Not every file system can rename without replacing, or has links. Without both, a file that appears between the last
 * two calls would be replaced. */
static bool rename_to_new(const struct nk_place *place, const char *from, const char *to)
{
    const int directory = directory_in(place);
    struct nk_seen seen;
    if (rename_exclusively(directory, from, to))
        return true;
    if (errno != ENOSYS && errno != EINVAL && errno != ENOTSUP)
        return false;
    if (linkat(directory, from, directory, to, 0) == 0)
        return nk_system_remove(place, from);
    if (errno == EEXIST || !nk_system_look(place, to, &seen))
        return false;
    errno = EEXIST;
    return !seen.exists && renameat(directory, from, directory, to) == 0;
}

bool nk_system_rename(const struct nk_place *place, const char *from, const char *to, bool replaces)
{
    const int directory = directory_in(place);
    if (!(replaces ? renameat(directory, from, directory, to) == 0 : rename_to_new(place, from, to)))
        return false;
    if (place)
        (void)fsync(directory); /* a file system that cannot flush a directory is not an error */
    return true;
}

/* In a directory with the sticky bit, as /tmp is, only the owner of the file or of the directory may rename over it. */
bool nk_system_may_replace(const struct nk_place *place, const struct nk_seen *seen)
{
    struct stat parent;
    const uid_t user = geteuid();
    return !user || user == seen->about.st_uid || fstat(place->directory, &parent) != 0 ||
           !(parent.st_mode & S_ISVTX) || user == parent.st_uid;
}

bool nk_system_path_of(int file, char *path, size_t size)
{
    const int flags = fcntl(file, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) != O_RDWR)
        return false;
#ifdef F_GETPATH
    (void)size; /* which the system assumes to be PATH_MAX */
    return fcntl(file, F_GETPATH, path) == 0 && is_named(file, NULL, path);
#else
    char link[32];
    *nk_put_number(nk_put_text(link, "/proc/self/fd/"), (uint64_t)file) = '\0';
    const ssize_t length = readlink(link, path, size - 1);
    if (length < 0)
        return false;
    path[length] = '\0';
    return is_named(file, NULL, path);
#endif
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
    return mkdir(path, is_private ? 0700 : 0777) == 0;
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

struct nk_screen_size nk_system_screen_size(FILE *stream)
{
    struct winsize size = {0};
    (void)ioctl(fileno(stream), TIOCGWINSZ, &size);
    return (struct nk_screen_size){size.ws_col ? size.ws_col : 80, size.ws_row ? size.ws_row : 24};
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
