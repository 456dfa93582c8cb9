/* The loop of slide.h. Only slide.h includes this file, once for each vector width. */

#define NAME_(bytes) nk_slide_##bytes
#define NAME(bytes) NAME_(bytes)
#define VECTOR_(bytes) nk_vector_##bytes
#define VECTOR__(bytes) VECTOR_(bytes)
#define VECTOR VECTOR__(VECTOR_BYTES)
#define PARTS (NK_LANES / 8 / VECTOR_BYTES)

typedef uint64_t VECTOR __attribute__((vector_size(VECTOR_BYTES), may_alias));

/* Adds to `to` every position in which a slide of one piece leads to a target, while the given set of stationary
 * pieces stays. The targets are the positions in `from`, or those not in `from` if `inverted`. `from` and `to` are
 * slices of matrices, [configurations]; occupied[s] holds the columns in which the other side has a piece on s.
 * `to` also receives positions in which the two sides overlap or the game is over: the caller must mask them.
 *
 * A slide in some direction ends on a square only if the next square in this direction is blocked or missing, and it
 * can have started on any square before it, back to the first blocked one. So one walk along a line, against the
 * direction of the slide, finds all origins: it carries the targets reached so far until a blocked square stops them.
 * Both directions of a line are walked at once. */
NK_INLINE void NAME(VECTOR_BYTES)(const struct nk_slides *slides, uint32_t stationary, const nk_lanes *from,
                                  bool inverted, const nk_lanes *occupied, struct nk_scratch *scratch,
                                  nk_lanes *to)
{
    const int squares = slides->squares;
    const uint32_t *row_of = slides->row_of + (size_t)stationary * (size_t)squares;
    for (int s = 0; s < squares; s++) {
        const nk_lanes *row = from + row_of[s];
        for (int w = 0; w < NK_LANE_WORDS; w++)
            scratch->square[s].targets.word[w] = inverted ? ~row->word[w] : row->word[w];
        scratch->square[s].blocked = occupied[s];
    }
    for (uint64_t left = slides->stationary[stationary]; left; left &= left - 1) {
        memset(&scratch->square[nk_first(left)].targets, 0, sizeof(nk_lanes));
        memset(&scratch->square[nk_first(left)].blocked, 0xff, sizeof(nk_lanes));
    }

    for (const uint16_t *line = slides->lines; *line; line += *line + 2) {
        const int axis = line[1];
        const uint16_t *forth = line + 2, *back = forth + *line - 1, *last = back;
        /* For slides along the axis (up), walked from the last square, and against it (down), walked from the first:
         * the targets reached, and the columns in which the square visited before is blocked or missing. */
        VECTOR down[PARTS], up[PARTS], stop_down[PARTS], stop_up[PARTS];
        for (int p = 0; p < PARTS; p++) {
            down[p] = up[p] = (VECTOR){0};
            stop_down[p] = stop_up[p] = ~(VECTOR){0};
        }
        for (; forth <= last; forth++, back--) {
            struct nk_square *const b = (struct nk_square *)((char *)scratch->square + *back);
            struct nk_square *const f = (struct nk_square *)((char *)scratch->square + *forth);
            for (int p = 0; p < PARTS; p++) {
                const VECTOR here = ((const VECTOR *)&b->blocked)[p];
                ((VECTOR *)&b->origins[axis])[p] = up[p];
                up[p] = (up[p] | (((const VECTOR *)&b->targets)[p] & stop_up[p])) & ~here;
                stop_up[p] = here;
            }
            for (int p = 0; p < PARTS; p++) {
                const VECTOR here = ((const VECTOR *)&f->blocked)[p];
                ((VECTOR *)&f->origins[axis + 4])[p] = down[p];
                down[p] = (down[p] | (((const VECTOR *)&f->targets)[p] & stop_down[p])) & ~here;
                stop_down[p] = here;
            }
        }
    }

    /* Stationary squares are skipped: they collect bits too, but the row that row_of has for them is not theirs. */
    for (uint64_t left = slides->board & ~slides->stationary[stationary]; left; left &= left - 1) {
        const int s = nk_first(left);
        const nk_lanes *origins = scratch->square[s].origins;
        nk_lanes *row = to + row_of[s];
        for (int p = 0; p < PARTS; p++) {
            VECTOR sum = ((const VECTOR *)row)[p];
            for (int d = 0; d < NK_DIRECTIONS; d++)
                sum |= ((const VECTOR *)&origins[d])[p];
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
