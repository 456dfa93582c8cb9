/* The loop of slide.h, once for each width of vectors; not to be included elsewhere. */

#define NAME_(bytes) nk_slide_##bytes
#define NAME(bytes) NAME_(bytes)
#define VECTOR_(bytes) nk_vector_##bytes
#define VECTOR__(bytes) VECTOR_(bytes)
#define VECTOR VECTOR__(VECTOR_BYTES)
#define PARTS (NK_LANES / 8 / VECTOR_BYTES)

typedef uint64_t VECTOR __attribute__((vector_size(VECTOR_BYTES), may_alias));

/* Adds to the rows of `to` every position from which sliding one piece, while the given group stays, leads to
 * a position in `from`, or in its complement when `inverted`. occupied[s]  the columns whose pieces stand on
 * square s Rows of `to` also receive bits where the two sides overlap or the game is over: the caller masks
 * them.
 *
 * A piece that slid towards the end of a line and stopped on a square did so because the square after it is
 * blocked or missing, and came from any of the squares before it up to the first blocked one. So one walk
 * along the line, from its end to its beginning, carries along the positions reached from the squares still
 * to come. */
NK_INLINE void NAME(VECTOR_BYTES)(const struct nk_slides *slides, uint32_t group, const nk_lanes *from,
                                  bool inverted, const nk_lanes *occupied, struct nk_bench *bench,
                                  nk_lanes *to)
{
    const int squares = slides->squares;
    const uint32_t *row_of = slides->row_of + (size_t)group * (size_t)squares;
    const nk_lanes none = {{0}};
    nk_lanes all;
    for (int w = 0; w < NK_LANE_WORDS; w++)
        all.word[w] = UINT64_MAX;
    for (int s = 0; s < squares; s++) {
        const nk_lanes *row = from + row_of[s];
        for (int w = 0; w < NK_LANE_WORDS; w++)
            bench->on[s].reached.word[w] = inverted ? ~row->word[w] : row->word[w];
        bench->on[s].blocked = occupied[s];
    }
    /* The pieces that stay block like the other side's. */
    for (uint64_t left = slides->group[group]; left; left &= left - 1) {
        bench->on[nk_first(left)].reached = none;
        bench->on[nk_first(left)].blocked = all;
    }

    for (const uint16_t *line = slides->line; *line; line += *line + 2) {
        const int axis = line[1];
        const uint16_t *forth = line + 2, *back = forth + *line - 1, *last = back;
        VECTOR down[PARTS], up[PARTS], stop_down[PARTS], stop_up[PARTS];
        for (int p = 0; p < PARTS; p++) {
            down[p] = up[p] = (VECTOR){0};
            stop_down[p] = stop_up[p] = ~(VECTOR){0};
        }
        for (; forth <= last; forth++, back--) {
            struct nk_square *const b = (struct nk_square *)((char *)bench->on + *back);
            struct nk_square *const f = (struct nk_square *)((char *)bench->on + *forth);
            for (int p = 0; p < PARTS; p++) {
                const VECTOR here = ((const VECTOR *)&b->blocked)[p];
                ((VECTOR *)&b->came[axis])[p] = up[p];
                up[p] = (up[p] | (((const VECTOR *)&b->reached)[p] & stop_up[p])) & ~here;
                stop_up[p] = here;
            }
            for (int p = 0; p < PARTS; p++) {
                const VECTOR here = ((const VECTOR *)&f->blocked)[p];
                ((VECTOR *)&f->came[axis + 4])[p] = down[p];
                down[p] = (down[p] | (((const VECTOR *)&f->reached)[p] & stop_down[p])) & ~here;
                stop_down[p] = here;
            }
        }
    }

    /* Squares of the group collect bits too, for a row that stands for nothing: they must not reach row 0. */
    for (uint64_t left = slides->board & ~slides->group[group]; left; left &= left - 1) {
        const int s = nk_first(left);
        const nk_lanes *came = bench->on[s].came;
        nk_lanes *row = to + row_of[s];
        for (int p = 0; p < PARTS; p++) {
            VECTOR sum = ((const VECTOR *)row)[p];
            for (int d = 0; d < NK_DIRECTIONS; d++)
                sum |= ((const VECTOR *)&came[d])[p];
            ((VECTOR *)row)[p] = sum;
        }
    }
}

#undef NAME_
#undef NAME
#undef VECTOR_
#undef VECTOR__
#undef VECTOR
#undef PARTS
