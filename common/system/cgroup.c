#include "common/system/cgroup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 4096 };

/* Where a version of control groups has the limits of memory: a directory for each group, and files in it. */
struct layout {
    const char *directory; /* of all groups */
    const char *limit, *used;
    const char *cached; /* the line of memory.stat with the bytes of files that are not in use */
};

static const struct layout version_1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                        "memory.usage_in_bytes", "total_inactive_file "};
static const struct layout version_2 = {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "};

/* Reads the number after the first `label` that begins a line of a file. Returns false if there is none: a group
 * without a limit has the word "max" or a number that no machine reaches. */
static bool read_number(const char *group, const char *name, const char *label, uint64_t *number)
{
    char path[LONGEST_PATH + 32], line[128];
    bool is_found = false;
    snprintf(path, sizeof path, "%s/%s", group, name);
    FILE *file = fopen(path, "r");
    while (file && !is_found && fgets(line, sizeof line, file)) {
        const char *digits = line + strlen(label);
        is_found = strncmp(line, label, strlen(label)) == 0 && *digits >= '0' && *digits <= '9';
        if (is_found)
            *number = strtoull(digits, NULL, 10);
    }
    if (file)
        fclose(file);
    return is_found && *number <= INT64_MAX / 2;
}

/* The bytes that a group may still take up. */
static uint64_t left_in(const struct layout *layout, const char *group)
{
    uint64_t limit, used, cached = 0;
    if (!read_number(group, layout->limit, "", &limit))
        return UINT64_MAX;
    if (!read_number(group, layout->used, "", &used))
        used = 0;
    (void)read_number(group, "memory.stat", layout->cached, &cached);
    used = used > cached ? used - cached : 0;
    return limit > used ? limit - used : 1;
}

/* The least that a group and those that it is in may still take up. In a container the path of the group may be one
 * outside it: then only the directory of all groups exists, which has the limits of the container. */
static uint64_t left_in_all(const char *root, const struct layout *layout, const char *path)
{
    char group[LONGEST_PATH];
    const size_t top = strlen(root) + strlen(layout->directory);
    uint64_t least = UINT64_MAX;
    if (snprintf(group, sizeof group, "%s%s%s", root, layout->directory, path) >= (int)sizeof group)
        group[top] = '\0';
    for (;;) {
        const uint64_t left = left_in(layout, group);
        least = left < least ? left : least;
        char *slash = strrchr(group, '/');
        if (strlen(group) <= top || !slash)
            return least;
        *slash = '\0';
    }
}

/* Whether the controllers of a line of proc/self/cgroup, "4:cpu,memory:/path", include memory. */
static bool has_memory(const char *controllers, size_t length)
{
    static const char memory[] = "memory";
    for (const char *end = controllers + length; controllers < end;) {
        const size_t name = strcspn(controllers, ",:");
        if (name == strlen(memory) && strncmp(controllers, memory, name) == 0)
            return true;
        controllers += name + 1;
    }
    return false;
}

uint64_t nk_cgroup_memory(const char *root)
{
    char path[LONGEST_PATH], line[LONGEST_PATH];
    uint64_t least = UINT64_MAX;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        const size_t length = (size_t)(group - controllers - 1);
        if (length && !has_memory(controllers + 1, length))
            continue;
        group[1 + strcspn(group + 1, "\n")] = '\0';
        /* Only version 2 has a line without controllers. */
        const uint64_t left = left_in_all(root, length ? &version_1 : &version_2, group + 1);
        least = left < least ? left : least;
    }
    if (file)
        fclose(file);
    return least;
}
