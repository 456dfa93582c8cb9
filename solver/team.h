/* The processes that share one analysis: alone, or started together by mpirun where the program is built with
 * MPI. Each has a rank, 0 <= rank < size.
 *
 * All of a team call these functions in the same order, each from one thread. What has gone wrong between
 * them MPI answers by ending them all.
 */
#ifndef NK_TEAM_H
#define NK_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For the beginning and the end of a program. */
void nk_team_begin(int *argc, char ***argv);
void nk_team_end(void);

int nk_team_rank(void);
int nk_team_size(void);

/* Ranks that share this one's machine, itself included. */
int nk_team_beside(void);

/* Replaces each value by the sum of all ranks' values. */
void nk_team_sum(uint64_t *values, size_t count);

/* The least of all ranks' values. */
uint64_t nk_team_least(uint64_t value);

/* Whether all ranks say yes. That this one has to is written here, where analyzers see it. */
static inline bool nk_team_agree(bool yes)
{
    return nk_team_least(yes) && yes;
}

/* Whether the value is the same in all ranks. */
static inline bool nk_team_same(uint64_t value)
{
    const uint64_t least = nk_team_least(value);
    return nk_team_least(~value) == ~least;
}

/* Sets the line, its newline included, that this rank writes to standard error when it is ended by SIGTERM,
 * as mpirun does with all ranks when one has died; cut after 500 bytes. Empty for none. What SIGTERM did
 * before the first call then happens. A process that is alone writes nothing. */
void nk_team_set_last_line(const char *line);

/* Every rank sends each other rank something: to rank r the counts[r] bytes, or words of 8 bytes, that stand
 * behind those for the ranks before it. What comes is put in the order of the ranks, received[r] from rank r.
 */
void nk_team_trade_bytes(const uint8_t *out, const int *counts, uint8_t *in, const int *received);
void nk_team_trade_words(const uint64_t *out, const int *counts, uint64_t *in, const int *received);

/* Rank `from` sends bytes to rank 0; the others need not call. */
void nk_team_send(const uint8_t *bytes, size_t length);
void nk_team_receive(int from, uint8_t *bytes, size_t length);

#endif
