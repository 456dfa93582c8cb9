/* Limits of memory that control groups of Linux set, such as those of a container. */
#ifndef NK_CGROUP_H
#define NK_CGROUP_H

#include <stdint.h>

/* The bytes of memory that this process may still take up within the limits of its control groups, of version 1 or 2,
 * at least 1; UINT64_MAX if there is no limit, or none that can be read. What a group has of files in memory that were
 * not used lately does not count: the system removes it when a group reaches its limit. `root` is the directory in
 * which proc/ and sys/ are: "" for those of the system. */
uint64_t nk_cgroup_memory(const char *root);

#endif
