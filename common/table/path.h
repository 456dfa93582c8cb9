/* The default locations of the table. */
#ifndef NK_TABLE_PATH_H
#define NK_TABLE_PATH_H

#include <stddef.h>

enum { NK_MAX_TABLE_PATHS = 16 };

/* Lists the default paths of the table in search order: next to the build directory from which the program runs,
 * in $XDG_DATA_HOME or its default, where an archive with the program has it, in $XDG_DATA_DIRS or its default, and
 * where `meson install` puts it. Returns their number, which is smaller if memory runs out. The caller frees each
 * path. */
size_t nk_table_default_paths(char *paths[NK_MAX_TABLE_PATHS]);

/* The path of the user's own table: the first that $XDG_DATA_HOME or its default contributes to the list. The caller
 * frees it. NULL if neither XDG_DATA_HOME nor HOME is set, or memory runs out. */
char *nk_table_user_path(void);

/* The environment variable that names the table, and its value; NULL if it is unset or empty. */
#define NK_TABLE_VARIABLE "NEUTREEKO_TABLE"
const char *nk_table_named(void);

/* The path of the table if none was given: nk_table_named or, if that is NULL, the first of the default paths that
 * exists. The caller frees it. NULL if there is none or memory runs out. */
char *nk_table_path(void);

#endif
