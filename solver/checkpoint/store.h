/* Sections of bytes, in memory or in a directory from which a later run continues: the log of an analysis (log.h) and
 * the rows of a verification (verify.c).
 *
 * In a directory each process appends to a file of its own. Another file, the state, has numbers and the list of the
 * sections. It is replaced atomically after the sections have been flushed to the disk, so there is always the last
 * complete state, or none. What a killed run appended after it is overwritten.
 *
 * Several threads may put and get different sections at once; all other functions are for one thread. All errors have
 * a message in *error (may be NULL). */
#ifndef NK_STORE_H
#define NK_STORE_H

#include "solver/log/directory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The names of the files of a store: the state, and the sections of process P with the suffix .P. */
struct nk_store_names {
    const char *state, *sections;
};

/* Whether a store with these names may write or remove a file of this name in its directory. */
bool nk_store_has_name(const struct nk_store_names *names, const char *name);

struct nk_section {
    uint64_t length, checksum; /* XXH3-64 */
    uint64_t process, offset;  /* the process whose file has it, and where */
    uint8_t *bytes;            /* in memory instead */
};

/* A section as numbers, without bytes in memory. All are zero in a section that was never put. */
enum { NK_SECTION_NUMBERS = 4 };
void nk_section_encode(const struct nk_section *section, uint64_t numbers[NK_SECTION_NUMBERS]);
void nk_section_decode(const uint64_t numbers[NK_SECTION_NUMBERS], struct nk_section *section);

enum { NK_SECTION_PADDING = 128 }; /* zeros after a section that is read from a file */

struct nk_store {
    /* What the caller sets; it must outlive the store. */
    const char *directory; /* the path of an open one, or NULL for memory */
    struct nk_store_names names;
    uint64_t process; /* whose file is the own one */
    uint32_t number_count;
    uint64_t section_count; /* the room for sections */

    /* [number_count] of the state: zeros, or what nk_store_open has read, until they are set */
    uint64_t *numbers;
    struct nk_section *sections; /* [section_count] */
    int64_t found;               /* how many sections the state has, or -1 if there is none */
    uint64_t checksum;           /* of the file with the state, or 0 */
    int own_file;
    _Atomic uint64_t end; /* of the own file */
};

/* Opens a store, in place, and reads the state with its sections, as far as there is room. NK_E_MEMORY, NK_E_READ;
 * NK_E_CORRUPT if the state is damaged, has another number of numbers, or is not the file of a store. The caller clears
 * the store in any case. */
enum nk_status nk_store_open(struct nk_store *store, struct nk_error *error);
void nk_store_clear(struct nk_store *store);

/* Opens the own file of a store in a directory, before the first section is put or got. NK_E_READ, NK_E_WRITE,
 * NK_E_MEMORY; NK_E_CORRUPT if it ends before its sections do, or is not the file of a store. */
enum nk_status nk_store_begin(struct nk_store *store, struct nk_error *error);

/* Stores bytes as a section. NK_E_WRITE, NK_E_MEMORY. */
enum nk_status nk_store_put(struct nk_store *store, struct nk_section *section, const uint8_t *bytes,
                            size_t length, struct nk_error *error);

/* Gets the bytes of a section, for nk_store_release. NK_E_READ, NK_E_MEMORY, NK_E_CORRUPT. */
enum nk_status nk_store_get(const struct nk_store *store, const struct nk_section *section, uint8_t **bytes,
                            struct nk_error *error);
void nk_store_release(const struct nk_store *store, uint8_t *bytes);

/* Flush the own file; replace the state, with the numbers and the first `sections` sections. In memory they do nothing.
 * NK_E_WRITE, NK_E_MEMORY. */
enum nk_status nk_store_flush(const struct nk_store *store, struct nk_error *error);
enum nk_status nk_store_save(const struct nk_store *store, uint64_t sections, struct nk_error *error);

/* Removes the files of a store that may have been cleared, of all processes. */
void nk_store_remove(const struct nk_store *store);

/* Records that the contents of a section, or of the state (NULL), cannot be right: NK_E_CORRUPT. */
enum nk_status nk_store_damaged(const struct nk_store *store, const struct nk_section *section,
                                struct nk_error *error);

#endif
