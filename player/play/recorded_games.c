#include "player/play/recorded_games.h"

#include "common/base/status.h"
#include "common/system/file.h"
#include "common/system/system.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char extension[] = ".txt";

char *recorded_games_directory(void)
{
    char *state = nk_system_user_directory("XDG_STATE_HOME", "/.local/state"), *directory = NULL;
    if (state && asprintf(&directory, "%s/neutreeko/games", state) < 0)
        directory = NULL;
    free(state);
    return directory;
}

enum nk_status recorded_games_new_path(char **path, struct nk_error *error)
{
    static int games; /* of this process */
    const time_t now = time(NULL);
    struct tm local = {0};
    char date[32], *directory = recorded_games_directory(), *file = NULL;
    if (!directory)
        return nk_fail(error, NK_E_UNSUPPORTED, 0, "neither XDG_STATE_HOME nor HOME names a directory");
    (void)localtime_r(&now, &local);
    (void)strftime(date, sizeof date, "%Y%m%d-%H%M%S", &local);
    if (asprintf(&file, "%s/%s-%ld-%d%s", directory, date, (long)getpid(), ++games, extension) < 0)
        file = NULL;
    free(directory);
    const enum nk_status status = file ? nk_file_make_directories(file, error) : nk_fail_memory(error);
    if (status)
        free(file);
    else
        *path = file;
    return status;
}

static bool is_record(const char *name)
{
    const size_t length = strlen(name), end = sizeof extension - 1;
    return *name != '.' && length > end && strcmp(name + length - end, extension) == 0;
}

char *recorded_games_latest(bool (*accepts)(const char *path, const void *context), const void *context)
{
    char *directory = recorded_games_directory(), *latest = NULL, *path;
    int64_t when = 0;
    struct stat about;
    const struct dirent *entry;
    DIR *list = directory ? opendir(directory) : NULL;
    while (list && (entry = readdir(list))) {
        if (!is_record(entry->d_name) || asprintf(&path, "%s/%s", directory, entry->d_name) < 0)
            continue;
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
            (!latest || nk_system_change_time(&about) > when) && accepts(path, context)) {
            when = nk_system_change_time(&about);
            free(latest);
            latest = path;
        } else {
            free(path);
        }
    }
    if (list)
        closedir(list);
    free(directory);
    return latest;
}
