#include "player/play/typed_path.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

/* The home directory, or the empty text if it is unknown. */
static const char *home(void)
{
    const char *directory = getenv("HOME");
    return directory ? directory : "";
}

/* Copies a name, with a directory, unless that is empty, in place of a tilde that is the first part of the name.
 * Returns whether it fits. */
static bool replace_tilde(const char *directory, const char *name, char path[TYPED_PATH])
{
    const bool has_tilde = *directory && name[0] == '~' && (!name[1] || name[1] == '/');
    return snprintf(path, TYPED_PATH, "%s%s", has_tilde ? directory : "", name + has_tilde) < TYPED_PATH;
}

bool typed_path_read(const char *typed, char path[TYPED_PATH])
{
    const size_t length = strlen(typed);
    const bool quoted = length >= 2 && is_quote(typed[0]) && typed[length - 1] == typed[0];
    char name[TERMINAL_LINE];
    snprintf(name, sizeof name, "%.*s", (int)(quoted ? length - 2 : length), typed + quoted);
    return replace_tilde(quoted ? "" : home(), name, path);
}

void typed_path_propose(char path[TYPED_PATH_PROPOSAL])
{
    enum { NUMBERS = 1000 }; /* so many files with such names mean that nobody wants this one */
    snprintf(path, TYPED_PATH_PROPOSAL, "game.txt");
    for (int number = 2; number < NUMBERS && access(path, F_OK) == 0; number++)
        snprintf(path, TYPED_PATH_PROPOSAL, "game-%d.txt", number);
}

/* Whether a name can be shown and typed at this terminal. */
static bool is_printable(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return false;
    return mbstowcs(NULL, name, 0) != (size_t)-1;
}

void typed_path_complete(const char *typed, struct terminal_words *found)
{
    const char quote = is_quote(*typed) ? *typed : '\0';
    typed += quote != '\0';
    found->begin += quote != '\0';
    const char *slash = strrchr(typed, '/');
    const size_t directory = slash ? (size_t)(slash - typed) + 1 : 0;
    const char *name = typed + directory;
    char begin[TERMINAL_LINE], path[TYPED_PATH], file[TYPED_PATH + TERMINAL_WORD];
    const struct dirent *entry;
    snprintf(begin, sizeof begin, "%.*s", (int)directory, typed);
    if (!replace_tilde(quote ? "" : home(), begin, path))
        return;
    DIR *list = opendir(directory ? path : ".");
    found->begin += directory;
    while (list && (entry = readdir(list))) {
        struct stat about;
        if (strncmp(entry->d_name, name, strlen(name)) != 0 || (entry->d_name[0] == '.' && *name != '.') ||
            strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            !is_printable(entry->d_name))
            continue;
        snprintf(file, sizeof file, "%s%s", path, entry->d_name);
        const bool is_directory = stat(file, &about) == 0 && S_ISDIR(about.st_mode);
        terminal_add_word(found, entry->d_name, is_directory ? "/" : "");
    }
    if (list)
        closedir(list);
}
