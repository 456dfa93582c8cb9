/* Where the table may be. */
#ifndef NK_TABLE_PATH_H
#define NK_TABLE_PATH_H

#include <stddef.h>

enum { NK_MAX_PLACES = 16 };

/* Lists, in the order of search, the places of a table that nobody named: beside the build this program was
 * run from, then $XDG_DATA_HOME and $XDG_DATA_DIRS with their defaults, then where `meson install` puts it.
 * Returns how many. The caller frees each path. Fewer places come back when memory runs out. */
size_t nk_places(char *places[NK_MAX_PLACES]);

/* The table that nobody named: what the environment variable NEUTREEKO_TABLE says or, where it says nothing,
 * the first of the places where there is a file. The caller frees the path. NULL when there is none, or when
 * memory runs out. */
char *nk_table_path(void);

#endif
