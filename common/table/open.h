/* Opening a table: its header and the list of its blocks (docs/FORMATS.md). open.c reads them from any source,
 * open_file.c from a file or from standard input. */
#ifndef NK_TABLE_OPEN_H
#define NK_TABLE_OPEN_H

#include "common/system/file.h"
#include "common/table/table.h"

/* Opens the table that a source has; the source is closed by nk_table_close, or here if this fails.
 * NK_E_NOT_TABLE, NK_E_CORRUPT, NK_E_MEMORY, NK_E_READ. A file costs no more memory or time than its size and
 * its board justify, whatever its header claims. */
enum nk_status nk_table_open_source(struct nk_table_source source, struct nk_table **table,
                                    struct nk_error *error);

/* Makes a table of what was computed: the index and the counts of a board, the codes of all its entries and the trap
 * values of all draws in their order, or NULL for a table without. Takes index, codes and traps, which free() frees;
 * they are freed here if this fails. The caller closes the table with nk_table_close. NK_E_MEMORY. */
enum nk_status nk_table_from_codes(struct nk_index *index, const struct nk_summary *summary, uint8_t *codes,
                                   uint8_t *traps, struct nk_table **table, struct nk_error *error);

/* Opens the table in a file, or in standard input if the path is "-": this is read to its end unless it is a file.
 * The caller closes the table with nk_table_close. NK_E_READ, NK_E_NOT_TABLE, NK_E_CORRUPT, NK_E_MEMORY; NK_E_WRITE if
 * there is no place for a copy of standard input. */
enum nk_status nk_table_open_named(const char *path, struct nk_table **table, struct nk_error *error);

/* The path where neutreeko-solve writes the table of the standard game, and where neutreeko looks for it: in
 * $XDG_DATA_HOME or its default. The caller frees it. NULL, with errno, if neither XDG_DATA_HOME nor HOME is set (0) or
 * memory runs out (ENOMEM). */
char *nk_table_default_path(void);

/* Sets *file to the size and checksum of the file of a table. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_table_digest(struct nk_table *table, struct nk_file_digest *file, struct nk_error *error);

#endif
