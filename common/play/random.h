/* A pseudorandom generator whose state the caller holds: the same seed gives the same games on every machine.
 * Source: SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014). */
#ifndef NK_RANDOM_H
#define NK_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t nk_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* A number below `bound`, which is at least 1. Deviations from the uniform distribution are below bound / 2^32. */
static inline uint32_t nk_random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)((nk_random(state) >> 32) * bound >> 32);
}

/* The initial state of the n-th of many independent sequences of a seed. */
static inline uint64_t nk_random_split(uint64_t seed, uint64_t n)
{
    uint64_t state = seed + n * UINT64_C(0xd1342543de82ef95);
    return nk_random(&state);
}

/* The choice of one of the candidates with the highest score, each with the same probability. All zero at first. */
struct nk_selection {
    int highest;
    uint32_t ties; /* candidates with this score so far */
};

/* Whether the next candidate becomes the chosen one, as the first one does. */
static inline bool nk_select(struct nk_selection *selection, int score, uint64_t *random)
{
    if (selection->ties && score < selection->highest)
        return false;
    selection->ties = selection->ties && score == selection->highest ? selection->ties + 1 : 1;
    selection->highest = score;
    /* Reservoir sampling: the n-th tied candidate replaces the chosen one with probability 1/n. */
    return nk_random_below(random, selection->ties) == 0;
}

#endif
