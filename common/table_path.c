#include "common/table_path.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char table_name[] = "neutreeko/perfect_move.dat";

/* Adds a path, which may be NULL, unless the list has it or is full; otherwise frees it. */
static void add_path(char *places[NK_MAX_PLACES], size_t *count, char *path)
{
    bool is_new = path && *count < NK_MAX_PLACES;
    for (size_t i = 0; i < *count && is_new; i++)
        is_new = strcmp(places[i], path) != 0;
    if (is_new)
        places[(*count)++] = path;
    else
        free(path);
}

/* Adds a name in a directory, which may be empty. */
static void add(char *places[NK_MAX_PLACES], size_t *count, const char *directory, size_t length,
                const char *name)
{
    char *path;
    if (length && asprintf(&path, "%.*s/%s", (int)length, directory, name) >= 0)
        add_path(places, count, path);
}

/* If the program runs uninstalled as BUILD/player/neutreeko, adds data/perfect_move.dat next to BUILD. */
static void add_next_to_build(char *places[NK_MAX_PLACES], size_t *count)
{
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return;
    program[length] = '\0';
    const char *const uninstalled = "/player/neutreeko";
    const size_t tail = strlen(uninstalled);
    if ((size_t)length <= tail || strcmp(program + (size_t)length - tail, uninstalled) != 0)
        return;
    program[(size_t)length - tail] = '\0';
    char *build = strrchr(program, '/');
    if (build) /* NULL if the system reports the path as "(unreachable)" */
        add(places, count, program, (size_t)(build - program), "data/perfect_move.dat");
}

char *nk_user_table_path(void)
{
    const char *home = getenv("HOME"), *data_home = getenv("XDG_DATA_HOME");
    char *path = NULL;
    int length = -1;
    if (data_home && *data_home)
        length = asprintf(&path, "%s/%s", data_home, table_name);
    else if (home && *home)
        length = asprintf(&path, "%s/.local/share/%s", home, table_name);
    return length < 0 ? NULL : path;
}

size_t nk_places(char *places[NK_MAX_PLACES])
{
    size_t count = 0;
    const char *data_dirs = getenv("XDG_DATA_DIRS");
    add_next_to_build(places, &count);
    add_path(places, &count, nk_user_table_path());
    for (const char *dir = data_dirs && *data_dirs ? data_dirs : "/usr/local/share:/usr/share"; *dir;) {
        const size_t length = strcspn(dir, ":");
        add(places, &count, dir, length, table_name);
        dir += length + (dir[length] == ':');
    }
    add(places, &count, NK_DATADIR, strlen(NK_DATADIR), table_name);
    return count;
}

char *nk_table_path(void)
{
    char *places[NK_MAX_PLACES], *found = NULL;
    const char *named = getenv("NEUTREEKO_TABLE");
    if (named && *named)
        return strdup(named);
    const size_t count = nk_places(places);
    for (size_t i = 0; i < count; i++)
        if (!found && access(places[i], F_OK) == 0)
            found = places[i];
        else
            free(places[i]);
    return found;
}
