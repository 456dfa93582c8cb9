/* The trap values of a table, for the verifier (verify.c). They are computed from their definition
 * (solver/base/trap_values.h), move by move with the rules of common/, and compared. Only the definition's constants
 * are shared with the code that wrote them. What a player sees follows from the distances of wins that the verifier has
 * found. */
#ifndef NK_VERIFY_TRAPS_H
#define NK_VERIFY_TRAPS_H

#include "common/table/lookup.h"

/* For each entry whether it is a draw, and whether it is a win that is near enough to be seen. */
struct nk_trap_check;

/* The caller frees it with nk_trap_check_free, which accepts NULL. The index must outlive it. NK_E_MEMORY. */
enum nk_status nk_trap_check_new(const struct nk_index *index, struct nk_trap_check **check,
                                 struct nk_error *error);
void nk_trap_check_free(struct nk_trap_check *check);

/* Adds the entries of an orbit, once: their codes, and where these are wins the codes of the nearest losses that a move
 * leads to; otherwise the element of `nearest` is 0. An element after the last one is read, but not used. Several
 * threads may add different orbits at once. */
void nk_trap_check_add(struct nk_trap_check *check, uint32_t orbit, const uint8_t *codes,
                       const uint8_t *nearest);

/* Computes all trap values, after all entries, the correct ones of a solved board, have been added, and compares them
 * with those of the table. NK_E_CORRUPT for a difference, NK_E_READ, NK_E_MEMORY. */
enum nk_status nk_trap_check_run(struct nk_trap_check *check, struct nk_table *table, int threads,
                                 struct nk_error *error);

/* The bytes that this takes while entries are added, and then with so many draws and, on a usual board, their moves. */
uint64_t nk_trap_check_adding_memory(const struct nk_index *index);
uint64_t nk_trap_check_memory(const struct nk_index *index, uint64_t draws);

#endif
