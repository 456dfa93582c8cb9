#include "common/table/path.h"

#include "common/system/system.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char table_name[] = "neutreeko/perfect_move.dat";

/* Adds a path, which may be NULL, unless the list has it or is full; otherwise frees it. */
static void add_path(char *paths[NK_MAX_TABLE_PATHS], size_t *count, char *path)
{
    bool is_new = path && *count < NK_MAX_TABLE_PATHS;
    for (size_t i = 0; i < *count && is_new; i++)
        is_new = strcmp(paths[i], path) != 0;
    if (is_new)
        paths[(*count)++] = path;
    else
        free(path);
}

/* Adds a name in a directory, which may be empty. */
static void add(char *paths[NK_MAX_TABLE_PATHS], size_t *count, const char *directory, size_t length,
                const char *name)
{
    char *path;
    if (length && asprintf(&path, "%.*s/%s", (int)length, directory, name) >= 0)
        add_path(paths, count, path);
}

/* Cuts the last name off an absolute path and returns it. */
static const char *cut(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash)
        return "";
    *slash = '\0';
    return slash + 1;
}

/* If the program runs uninstalled as BUILD/player/neutreeko, adds data/perfect_move.dat next to BUILD. Returns where a
 * table is unpacked together with the program, in share/ next to bin/, or else next to the program, or NULL. */
static char *add_next_to_build(char *paths[NK_MAX_TABLE_PATHS], size_t *count)
{
    char *program = nk_system_program_path(), *unpacked;
    if (!program)
        return NULL;
    const char *name = cut(program), *directory = cut(program);
    const bool has_share = strcmp(directory, "bin") == 0;
    if (asprintf(&unpacked, "%s/%s/%s", program, has_share ? "share" : directory,
                 has_share ? table_name : "perfect_move.dat") < 0)
        unpacked = NULL;
    if (strcmp(name, "neutreeko") == 0 && strcmp(directory, "player") == 0) {
        (void)cut(program);
        add(paths, count, program, strlen(program), "data/perfect_move.dat");
    }
    free(program);
    return unpacked;
}

char *nk_table_user_path(void)
{
    char *directory = nk_system_user_directory("XDG_DATA_HOME", "/.local/share"), *path = NULL;
    if (directory && asprintf(&path, "%s/%s", directory, table_name) < 0)
        path = NULL;
    free(directory);
    return path;
}

size_t nk_table_default_paths(char *paths[NK_MAX_TABLE_PATHS])
{
    size_t count = 0;
    const char *data_dirs = getenv("XDG_DATA_DIRS");
    char *unpacked = add_next_to_build(paths, &count);
    add_path(paths, &count, nk_table_user_path());
    add_path(paths, &count, unpacked);
    for (const char *dir = data_dirs && *data_dirs ? data_dirs : nk_system_data_directories; *dir;) {
        const size_t length = strcspn(dir, nk_system_separator);
        if (nk_system_is_absolute(dir)) /* the specification ignores relative paths */
            add(paths, &count, dir, length, table_name);
        dir += length + (dir[length] != '\0');
    }
    add(paths, &count, NK_DATADIR, strlen(NK_DATADIR), table_name);
    return count;
}

const char *nk_table_named(void)
{
    const char *named = getenv(NK_TABLE_VARIABLE);
    return named && *named ? named : NULL;
}

char *nk_table_path(void)
{
    char *paths[NK_MAX_TABLE_PATHS], *found = NULL;
    const char *named = nk_table_named();
    if (named)
        return strdup(named);
    const size_t count = nk_table_default_paths(paths);
    for (size_t i = 0; i < count; i++)
        if (!found && access(paths[i], F_OK) == 0)
            found = paths[i];
        else
            free(paths[i]);
    return found;
}
