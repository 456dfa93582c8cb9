#include "player/commands/state.h"

#include "common/status.h"
#include "common/system.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char extension[] = ".txt";

char *state_directory(void)
{
    char *state = nk_system_user_directory("XDG_STATE_HOME", "/.local/state"), *directory = NULL;
    if (state && asprintf(&directory, "%s/neutreeko/games", state) < 0)
        directory = NULL;
    free(state);
    return directory;
}

/* Creates a directory and those that contain it. */
static enum nk_status make_directory(char *path, struct nk_error *error)
{
    for (char *slash = path; slash; *slash = '/') {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = '\0';
        if (!nk_system_make_directory(path, true) && errno != EEXIST)
            return nk_fail(error, NK_E_WRITE, 0, "cannot create the directory " NK_PATH ": %s",
                           NK_PATH_OF(path), strerror(errno));
        if (!slash)
            break;
    }
    return NK_OK;
}

enum nk_status state_new_path(char **path, struct nk_error *error)
{
    static int games; /* of this process */
    const time_t now = time(NULL);
    struct tm local = {0};
    char date[32];
    char *directory = state_directory();
    if (!directory)
        return nk_fail(error, NK_E_WRITE, 0, "neither XDG_STATE_HOME nor HOME names a directory");
    enum nk_status status = make_directory(directory, error);
    (void)localtime_r(&now, &local);
    (void)strftime(date, sizeof date, "%Y%m%d-%H%M%S", &local);
    if (!status && asprintf(path, "%s/%s-%ld-%d%s", directory, date, (long)getpid(), ++games, extension) < 0)
        status = nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    free(directory);
    return status;
}

static bool is_record(const char *name)
{
    const size_t length = strlen(name), end = sizeof extension - 1;
    return *name != '.' && length > end && strcmp(name + length - end, extension) == 0;
}

char *state_latest(void)
{
    char *directory = state_directory(), *latest = NULL, *path;
    int64_t when = 0;
    struct stat about;
    const struct dirent *entry;
    DIR *list = directory ? opendir(directory) : NULL;
    while (list && (entry = readdir(list))) {
        if (!is_record(entry->d_name) || asprintf(&path, "%s/%s", directory, entry->d_name) < 0)
            continue;
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
            (!latest || nk_system_changed(&about) > when)) {
            when = nk_system_changed(&about);
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
