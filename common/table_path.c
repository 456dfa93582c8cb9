#include "common/table_path.h"

#include "system.h"

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

/* The length of the directory that contains a file or directory, whose path has this length; 0 if there is none. */
static size_t parent(const char *path, size_t length)
{
    while (length && path[length - 1] != '/')
        length--;
    return length ? length - 1 : 0;
}

static bool is_named(const char *path, size_t length, const char *name)
{
    const size_t begin = parent(path, length) + 1;
    return length == begin + strlen(name) && memcmp(path + begin, name, length - begin) == 0;
}

/* If the program runs uninstalled as BUILD/player/neutreeko, adds data/perfect_move.dat next to BUILD. */
static void add_next_to_build(char *places[NK_MAX_PLACES], size_t *count, const char *program)
{
    const size_t player = parent(program, strlen(program)), build = parent(program, player);
    if (is_named(program, strlen(program), "neutreeko") && is_named(program, player, "player"))
        add(places, count, program, parent(program, build), "data/perfect_move.dat");
}

/* Adds where a table is unpacked together with the program: in share/ next to bin/, or else next to the program. */
static void add_next_to_program(char *places[NK_MAX_PLACES], size_t *count, const char *program)
{
    char shared[64];
    const size_t directory = parent(program, strlen(program));
    snprintf(shared, sizeof shared, "share/%s", table_name);
    if (is_named(program, directory, "bin"))
        add(places, count, program, parent(program, directory), shared);
    else
        add(places, count, program, directory, "perfect_move.dat");
}

char *nk_user_table_path(void)
{
    char *directory = nk_system_user_directory("XDG_DATA_HOME", "/.local/share"), *path = NULL;
    if (directory && asprintf(&path, "%s/%s", directory, table_name) < 0)
        path = NULL;
    free(directory);
    return path;
}

size_t nk_places(char *places[NK_MAX_PLACES])
{
    size_t count = 0;
    const char *data_dirs = getenv("XDG_DATA_DIRS");
    char *program = nk_system_program();
    if (program)
        add_next_to_build(places, &count, program);
    add_path(places, &count, nk_user_table_path());
    if (program)
        add_next_to_program(places, &count, program);
    free(program);
    for (const char *dir = data_dirs && *data_dirs ? data_dirs : nk_system_data_directories; *dir;) {
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
