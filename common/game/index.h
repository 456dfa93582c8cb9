/* Numbers for positions.
 *
 * The configurations of one side (the squares of its pieces) are numbered by their masks in ascending order.
 * In this combinatorial number system, a set of squares s0 < s1 < ... has the number
 * C(s0, 1) + C(s1, 2) + C(s2, 3) + ...
 *
 * Configurations that are equal under the symmetries of the board form an orbit. Its first configuration is the
 * canonical one. To find the entry of a position, apply a symmetry that makes the configuration of `other`
 * canonical. Then the entry is orbit * per_orbit + the number of the mover's configuration among the squares that
 * the canonical one leaves free.
 *
 * Positions with the same entry are images of each other and have the same value. If the configuration of
 * `other` has symmetries of its own, several symmetries make it canonical; one of them is used, and the other
 * images of the position may have entries of their own, with the same value. So in counts of positions, every
 * entry of an orbit counts `size` times. The orbits are those of `other`, not of the mover, because then the
 * codes of neighbouring entries are more alike, and the table is smaller.
 *
 * An index does not change after nk_index_new: any number of threads may share one. */
#ifndef NK_INDEX_H
#define NK_INDEX_H

#include "common/game/position.h"

struct nk_orbit {
    uint32_t images[NK_SYMMETRIES]; /* numbers of the canonical configuration's images; [0]: its own */
    uint32_t size;                  /* different configurations among the images */
};

struct nk_index {
    struct nk_rules rules;
    uint32_t configurations; /* of one side */
    uint32_t orbit_count;
    uint32_t per_orbit;  /* configurations of a side, given that of the other */
    uint64_t entries;    /* orbit_count * per_orbit */
    uint64_t placements; /* configurations * per_orbit */

    struct nk_orbit *orbits; /* [orbit_count] */
    uint64_t *squares;       /* [configurations] */
    uint32_t *orbit_of;      /* [configurations] */
    uint8_t *to_canonical;   /* [configurations] the symmetry that makes it canonical */
    uint32_t choose[NK_MAX_SQUARES][NK_MAX_PIECES + 1]; /* binomial coefficients C(square, pieces) */
};

/* The number of placements of a board, without an index. The index has at most as many entries, and at least
 * that number divided by the number of symmetries. */
uint64_t nk_index_placements(const struct nk_rules *rules);

/* Sets the members of an index that are numbers, and no array: enough to plan with, without allocating. */
void nk_index_count(const struct nk_rules *rules, struct nk_index *index);

/* The bytes that the arrays of an index take up. nk_index_count is enough: the arrays are not used. */
uint64_t nk_index_memory(const struct nk_index *index);

/* Creates the index of a board, which the caller frees with nk_index_free. NK_E_MEMORY. */
enum nk_status nk_index_new(const struct nk_rules *rules, struct nk_index **index);
void nk_index_free(struct nk_index *index);

/* The number of the canonical configuration of an orbit, and its squares. */
static inline uint32_t nk_index_canonical(const struct nk_index *index, uint32_t orbit)
{
    return index->orbits[orbit].images[0];
}

static inline uint64_t nk_index_canonical_squares(const struct nk_index *index, uint32_t orbit)
{
    return index->squares[nk_index_canonical(index, orbit)];
}

/* The number of sets of `pieces` squares of the board, 1 <= pieces <= NK_MAX_PIECES. */
static inline uint32_t nk_index_sets(const struct nk_index *index, int pieces)
{
    const int last = index->rules.squares - 1;
    return index->choose[last][pieces - 1] + index->choose[last][pieces];
}

/* The number of a configuration. */
static inline uint32_t nk_index_number(const struct nk_index *index, uint64_t squares)
{
    uint32_t number = 0;
    for (int i = 1; squares; squares &= squares - 1)
        number += index->choose[nk_first(squares)][i++];
    return number;
}

/* The next configuration: the next greater mask with as many squares. After the last one the result is
 * meaningless. */
static inline uint64_t nk_index_next(uint64_t squares)
{
    const uint64_t lowest = squares & -squares;
    const uint64_t carried = squares + lowest;
    return carried | (squares ^ carried) >> 2 >> nk_first(squares);
}

/* The entry of a legal position; a placement in which the mover has already won has one as well. */
uint64_t nk_index_entry(const struct nk_index *index, struct nk_position position);

/* The position of an entry, 0 <= entry < entries, in which the configuration of `other` is canonical. It is
 * illegal if the mover has already won. */
struct nk_position nk_index_position(const struct nk_index *index, uint64_t entry);

#endif
