#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
#ifdef NK_HAS__NSGETEXECUTABLEPATH
#include <mach-o/dyld.h>
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* ---- the process and the machine ---- */

char *nk_system_program(void)
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
    return path;
#endif
}

const char nk_system_data_directories[] = "/usr/local/share:/usr/share";

char *nk_system_user_directory(const char *variable, const char *below_home)
{
    const char *named = getenv(variable), *home = getenv("HOME");
    char *directory = NULL;
    if (named && *named == '/') /* the specification of these variables ignores relative paths */
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
uint64_t nk_system_available_memory(void)
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
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
}

bool nk_system_free_space(const char *directory, uint64_t *bytes)
{
    struct statvfs disk;
    if (statvfs(directory, &disk))
        return false;
    *bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    return true;
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
