/* Numbers for positions.
 *
 * The configurations of one side (the squares of its pieces) are numbered by their mask, smallest first: the
 * combinatorial number system, in which a set of squares s0 < s1 < ... has the number
 * C(s0, 1) + C(s1, 2) + C(s2, 3) + ...
 *
 * Configurations equal under the board's symmetries form a orbit; its first configuration represents it. A
 * position is entry (orbit of other) * per_orbit + (the number of the mover's configuration among the squares
 * that the orbit's representative leaves free), both sides turned by a symmetry that takes the other's
 * configuration to the representative. Positions with one entry are images of each other and have one value.
 * Where the other's configuration has symmetries of its own there are several such turns; one of them counts,
 * and images of a position may have entries of their own, with the same value. So a orbit counts `size` times
 * whatever its entries say of the whole game. (Orbits of the other side, not of the mover: the codes of
 * neighbouring entries are then more alike, and the table is smaller.)
 *
 * An index never changes once it is made: any number of threads may share one.
 */
#ifndef NK_INDEX_H
#define NK_INDEX_H

#include "position.h"

struct nk_orbit {
    uint32_t images[NK_SYMMETRIES]; /* numbers of the representative's images; [0] is its own */
    uint32_t size;                  /* members: different configurations among the images */
};

struct nk_index {
    struct nk_rules rules;
    uint32_t configurations; /* of one side */
    uint32_t orbit_count;
    uint32_t per_orbit;  /* configurations of one side beside a given one of the other */
    uint64_t entries;    /* orbit_count * per_orbit */
    uint64_t placements; /* configurations * per_orbit */

    struct nk_orbit *orbits; /* [orbit_count] */
    uint32_t *orbit_of;      /* [configurations] */
    uint8_t *to_canonical;   /* [configurations] the symmetry that takes it to its representative */
    uint32_t choose[NK_MAX_SQUARES][NK_MAX_PIECES + 1]; /* binomial coefficients C(square, pieces) */
};

/* How many placements a board has, without an index. An index of theirs has at most as many entries, and at
 * least that many divided by the board's symmetries. */
uint64_t nk_index_placements(const struct nk_rules *rules);

/* Makes the index of these rules. NK_E_MEMORY. The caller hands it to nk_index_free. */
enum nk_status nk_index_new(const struct nk_rules *rules, struct nk_index **index);
void nk_index_free(struct nk_index *index);

/* The number of an configuration, and back. */
static inline uint32_t nk_index_rank(const struct nk_index *index, uint64_t squares)
{
    uint32_t rank = 0;
    for (int i = 1; squares; squares &= squares - 1)
        rank += index->choose[nk_first(squares)][i++];
    return rank;
}
uint64_t nk_index_unrank(const struct nk_index *index, uint32_t rank);

/* The configuration after this one (in numeric order of masks with as many squares). */
static inline uint64_t nk_index_next(uint64_t squares)
{
    const uint64_t lowest = squares & -squares;
    const uint64_t carried = squares + lowest;
    return carried | (squares ^ carried) >> 2 >> nk_first(squares);
}

/* The entry of a position that passes nk_position_check. */
uint64_t nk_index_entry(const struct nk_index *index, struct nk_position position);

/* The position of an entry, 0 <= entry < entries, whose other side stands as its orbit's representative. The
 * mover may have won: such entries stand for no legal position. */
struct nk_position nk_index_position(const struct nk_index *index, uint64_t entry);

#endif
