/* Computes the trap values of a board. */
#ifndef NK_TRAPS_H
#define NK_TRAPS_H

#include "common/base/progress_sink.h"
#include "common/table/lookup.h"
#include "solver/base/trap_values.h"

/* What the values of a board follow from: for each entry whether it is a draw, and whether it is a loss that the
 * imperfect player sees coming. One thread at a time may use it. */
struct nk_traps;

/* *traps is NULL if the board is above the limit of entries. NK_E_MEMORY. The caller frees it with nk_traps_free, which
 * accepts NULL. */
enum nk_status nk_traps_new(const struct nk_index *index, struct nk_traps **traps);
void nk_traps_free(struct nk_traps *traps);

/* Adds the codes of the next `count` entries, which are those of whole orbits. Accepts NULL. */
void nk_traps_add(struct nk_traps *traps, const uint8_t *codes, uint64_t count);

/* Computes U in units of 1/256, rounded down, for every draw in the order of the entries, after all codes, those of a
 * solved board, have been added. Uses at most `threads` threads, 0 for one per processor; the values do not depend on
 * it. *values receives an array that the caller frees, or NULL if there are no draws, too many, or `traps` is NULL.
 * `progress` may be NULL. NK_E_MEMORY, or NK_E_STOPPED if `progress` stops it. */
enum nk_status nk_traps_compute(struct nk_traps *traps, int threads, const struct nk_progress_sink *progress,
                                uint8_t **values);

/* The bytes that this takes with so many draws, and drawing moves of all of them; for no draws, while codes are added.
 * `threads` is the most threads to use, 0 for one per processor. */
uint64_t nk_traps_memory(const struct nk_index *index, uint32_t draws, uint64_t moves, int threads);

#endif
