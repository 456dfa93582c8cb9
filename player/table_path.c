#include "player/table_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char table_name[] = "neutreeko/perfect_move.dat";

/* Adds a path unless the list has it or is full. */
static void add(char *places[NK_MAX_PLACES], size_t *count, const char *directory, size_t length,
                const char *name)
{
    char *place;
    if (*count == NK_MAX_PLACES || length == 0)
        return;
    if (asprintf(&place, "%.*s/%s", (int)length, directory, name) < 0)
        return;
    for (size_t i = 0; i < *count; i++)
        if (strcmp(places[i], place) == 0) {
            free(place);
            return;
        }
    places[(*count)++] = place;
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

size_t nk_places(char *places[NK_MAX_PLACES])
{
    size_t count = 0;
    const char *home = getenv("HOME");
    const char *data_home = getenv("XDG_DATA_HOME");
    const char *data_dirs = getenv("XDG_DATA_DIRS");
    add_next_to_build(places, &count);
    if (data_home && *data_home)
        add(places, &count, data_home, strlen(data_home), table_name);
    else if (home && *home)
        add(places, &count, home, strlen(home), ".local/share/neutreeko/perfect_move.dat");
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
