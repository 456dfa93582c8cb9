/* Sparse passes: position by position instead of slide by slide, for passes after one that decided few positions. A
 * pass of the other kind, a dense one, looks at all slides that could matter, however few positions they lead to. Both
 * decide the same positions.
 *
 * In a sequence of sparse passes, lists replace `next` and `frontier`. What a pass has decided is in `found`, by the
 * slice of its columns. The next pass brings it to the slices in which it looks for the predecessors, those of the
 * columns in the other view: `frontier_list`. The memory of `next` and `frontier` then has the sets that are in files
 * in a sequence of dense passes. */

#include "solver/analysis/analysis.h"

#include "common/system/system.h"

#include <stdlib.h>
#include <string.h>

/* ---- positions in lists ---- */

/* A bit of a set by mover: a row and a column of the whole matrix. */
static uint64_t element_of(uint32_t row, uint32_t column)
{
    return (uint64_t)column << 32 | row;
}

static uint32_t row_of(uint64_t element)
{
    return (uint32_t)element;
}

static uint32_t column_of(uint64_t element)
{
    return (uint32_t)(element >> 32);
}

/* Which of this process's slices has a column; not below a->range.slices if it is another's. */
static uint32_t slice_of(const struct nk_analysis *a, uint32_t column)
{
    return column / NK_SLICE_COLUMNS - a->range.first_slice;
}

/* The column of an element in the other view. */
static uint32_t other_column(const struct nk_analysis *a, uint64_t element)
{
    return a->index->orbit_of[row_of(element)];
}

/* Makes room for `more` elements. Without memory it sets the error of the losses and returns false. */
static bool make_room(struct nk_analysis *a, struct nk_list *list, size_t more)
{
    struct nk_error error;
    if (list->count + more <= list->room ||
        nk_grow(&list->elements, &list->room, list->count + more, sizeof *list->elements))
        return true;
    (void)nk_fail_memory(&error);
    nk_losses_set_error(a->losses, &error);
    return false;
}

/* The word of a set that is in memory, in one of this process's slices. */
static uint64_t *word_at(const struct nk_analysis *a, nk_row_bits *rows, uint32_t row, uint32_t column)
{
    nk_row_bits *bits = &rows[(size_t)slice_of(a, column) * a->rows + row];
    return &bits->word[column % NK_SLICE_COLUMNS / 64];
}

/* ---- what a pass decides ---- */

/* Whether a position has no other moves than to wins of the other side. */
static bool is_loss(const struct nk_analysis *a, uint32_t row, uint32_t column)
{
    const struct nk_index *index = a->index;
    const uint64_t occupied = index->squares[row] | nk_index_canonical_squares(index, column);
    int piece = 0;
    for (uint64_t left = index->squares[row]; left; left &= left - 1) {
        const uint32_t *rows = nk_slide_rows(&a->slides, row, piece++);
        const int from = nk_first(left);
        for (int d = 0; d < NK_DIRECTIONS; d++) {
            const int to = nk_rules_stop(&index->rules, occupied, from, d);
            if (to != from && !(*word_at(a, a->almost_win.rows, rows[to], column) >> column % 64 & 1))
                return false;
        }
    }
    return true;
}

/* The predecessors of a position by other, all in its column. */
struct predecessors {
    uint32_t column;
    int count;
    uint32_t rows[NK_MAX_REVERSE_MOVES];
};

/* Lists the predecessors of a position by other, and begins to fetch their words of `undecided`. */
static void list_predecessors(const struct nk_analysis *a, uint32_t row, uint32_t column,
                              struct predecessors *list)
{
    const struct nk_index *index = a->index;
    const uint64_t occupied = index->squares[row] | nk_index_canonical_squares(index, column);
    int piece = 0, count = 0;
    for (uint64_t left = index->squares[row]; left; left &= left - 1) {
        const uint32_t *rows = nk_slide_rows(&a->slides, row, piece++);
        for (uint64_t origins = nk_rules_origins(&index->rules, occupied, nk_first(left)); origins;
             origins &= origins - 1) {
            list->rows[count] = rows[nk_first(origins)];
            __builtin_prefetch(word_at(a, a->undecided.rows, list->rows[count++], column), 1);
        }
    }
    list->column = column;
    list->count = count;
}

/* Decides the predecessors that are undecided, and losses only if they are some. */
static void decide(struct nk_analysis *a, struct nk_list *found, const struct predecessors *list,
                   bool finds_losses)
{
    const uint64_t bit = nk_bit((int)(list->column % 64));
    for (int i = 0; i < list->count; i++) {
        uint64_t *undecided = word_at(a, a->undecided.rows, list->rows[i], list->column);
        if (!(*undecided & bit) || (finds_losses && !is_loss(a, list->rows[i], list->column)))
            continue;
        *undecided &= ~bit;
        found->elements[found->count++] = element_of(list->rows[i], list->column);
    }
}

/* ---- a pass in one slice ---- */

struct pass {
    struct nk_analysis *a;
    bool finds_losses;
    uint8_t code; /* with which the losses record what it decides, or 0 */
};

/* Sets the rows of a slice to what was found in it, and marks those that are not empty. */
static void fill_rows(const struct nk_analysis *a, uint32_t slice, nk_row_bits *rows, uint8_t *nonempty)
{
    const struct nk_list *found = &a->found[slice];
    memset(nonempty, 0, a->rows);
    for (size_t i = 0; i < found->count; i++) {
        const uint32_t row = row_of(found->elements[i]), column = column_of(found->elements[i]);
        if (!nonempty[row])
            rows[row] = nk_no_bits;
        nonempty[row] = 1;
        rows[row].word[column % NK_SLICE_COLUMNS / 64] |= nk_bit((int)(column % 64));
    }
}

/* Counts the positions that were found in a slice, and finds the lowest entry among them. */
static void count_found(const struct nk_analysis *a, uint32_t slice)
{
    const struct nk_list *found = &a->found[slice];
    uint64_t decided = 0, lowest = UINT64_MAX; /* entries are sorted by column, then by row */
    for (size_t i = 0; i < found->count; i++) {
        decided += a->index->orbits[column_of(found->elements[i])].size;
        lowest = nk_least(lowest, found->elements[i]);
    }
    a->decided[slice] = decided;
    a->examples[slice] = lowest;
    if (lowest != UINT64_MAX) {
        const uint64_t other = nk_index_canonical_squares(a->index, column_of(lowest));
        a->examples[slice] =
            nk_index_entry(a->index, (struct nk_position){a->index->squares[row_of(lowest)], other});
    }
}

/* Work for nk_parallel. A move keeps the column, so all that a position needs is in its slice. */
static void run_slice(void *context, uint32_t slice, int thread)
{
    const struct pass *pass = context;
    struct nk_analysis *a = pass->a;
    struct nk_list *found = &a->found[slice];
    const size_t begin = a->first_in_slice[slice], end = a->first_in_slice[slice + 1];
    uint32_t rows[NK_SYMMETRIES];
    struct predecessors lists[2] = {{0}};
    size_t n = 0; /* listed */
    found->count = 0;
    for (size_t i = begin; pass->finds_losses && i < end; i++) {
        const uint64_t element = a->frontier_list.elements[i];
        const uint32_t column = other_column(a, element);
        const int images = nk_other_rows(a->index, row_of(element), column_of(element), rows);
        for (int r = 0; r < images; r++)
            *word_at(a, a->almost_win.rows, rows[r], column) |= nk_bit((int)(column % 64));
    }
    /* The words of a position's predecessors arrive while those of the next position are listed. */
    for (size_t i = begin; i < end && make_room(a, found, (size_t)NK_MAX_REVERSE_MOVES * (NK_SYMMETRIES + 1));
         i++) {
        const uint64_t element = a->frontier_list.elements[i];
        const uint32_t column = other_column(a, element);
        const int images = nk_other_rows(a->index, row_of(element), column_of(element), rows);
        for (int r = 0; r < images; r++) {
            list_predecessors(a, rows[r], column, &lists[n++ % 2]);
            decide(a, found, &lists[n % 2], pass->finds_losses);
        }
    }
    decide(a, found, &lists[(n + 1) % 2], pass->finds_losses);
    count_found(a, slice);
    if (pass->code && found->count) {
        /* The scratch: a sparse pass does not use this slice of `next`; where it has a set from a file there, each
         * thread has a buffer that it does not use. */
        struct nk_bitset scratch = nk_slice_of(a, &a->next, slice);
        if (a->almost_win_buffers)
            scratch.rows = a->almost_win_buffers + (size_t)thread * a->rows;
        fill_rows(a, slice, scratch.rows, scratch.nonempty);
        nk_losses_append(a->losses, pass->code, a->range.first_slice + slice, scratch.rows, scratch.nonempty);
    }
}

/* ---- from one pass to the next ---- */

/* Sorts those of `all` by slice into the list of the frontier, without those of other processes. */
static bool sort_by_slice(struct nk_analysis *a, const struct nk_list *all)
{
    const uint32_t slices = a->range.slices;
    struct nk_list *list = &a->frontier_list;
    size_t *next = a->first_in_slice + 1; /* [slices + 1] where the next one of each slice belongs */
    memset(a->first_in_slice, 0, ((size_t)slices + 2) * sizeof *next);
    list->count = 0;
    if (!make_room(a, list, all->count))
        return false;
    for (size_t i = 0; i < all->count; i++) {
        const uint32_t slice = slice_of(a, other_column(a, all->elements[i]));
        if (slice < slices)
            next[slice + 1]++;
    }
    for (uint32_t s = 0; s < slices; s++)
        next[s + 1] += next[s];
    for (size_t i = 0; i < all->count; i++) {
        const uint32_t slice = slice_of(a, other_column(a, all->elements[i]));
        if (slice < slices)
            list->elements[next[slice]++] = all->elements[i];
    }
    list->count = a->first_in_slice[slices];
    return true;
}

/* Makes what the last pass has found, in all processes, the frontier of this one. */
static bool exchange_found(struct nk_analysis *a)
{
    struct nk_list *all = &a->all_found;
    all->count = 0;
    for (uint32_t s = 0; s < a->range.slices; s++) {
        const struct nk_list *found = &a->found[s];
        if (!make_room(a, all, found->count))
            return false;
        if (found->count)
            memcpy(all->elements + all->count, found->elements, found->count * sizeof *found->elements);
        all->count += found->count;
    }
    uint64_t total = all->count;
    nk_cluster_sum(a->exchange.cluster, &total, 1);
    if (!make_room(a, all, (size_t)total - all->count))
        return false;
    if (a->exchange.cluster)
        a->exchange.cluster->join(&a->exchange, all);
    return sort_by_slice(a, all);
}

bool nk_sparse_pass(struct nk_analysis *a, bool finds_losses, uint8_t code)
{
    enum { FEW = 1 << 12 }; /* for fewer, a pass takes less time than starting threads */
    struct pass pass = {a, finds_losses, code};
    if (!exchange_found(a))
        return false;
    nk_parallel(a->frontier_list.count < FEW ? 1 : a->threads, a->range.slices, run_slice, &pass);
    return true;
}

/* ---- between dense and sparse passes ---- */

/* Lists the positions of `next` in a slice. */
static void list_found(void *context, uint32_t slice, int thread)
{
    (void)thread;
    struct nk_analysis *a = context;
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const uint32_t first = (a->range.first_slice + slice) * NK_SLICE_COLUMNS;
    struct nk_list *found = &a->found[slice];
    found->count = 0;
    for (uint32_t r = 0; r < a->rows; r++) {
        if (!next.nonempty[r])
            continue;
        if (!make_room(a, found, NK_SLICE_COLUMNS))
            return;
        for (uint32_t w = 0; w < NK_ROW_WORDS; w++)
            for (uint64_t left = next.rows[r].word[w]; left; left &= left - 1)
                found->elements[found->count++] = element_of(r, first + w * 64 + (uint32_t)nk_first(left));
    }
}

/* The inverse of list_found. */
static void unlist_found(void *context, uint32_t slice, int thread)
{
    (void)thread;
    struct nk_analysis *a = context;
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    fill_rows(a, slice, next.rows, next.nonempty);
}

/* Brings a set that is in a file to memory, or back. */
static void move_set(struct nk_analysis *a, struct nk_sliced_set *set, nk_row_bits *rows, bool to_memory)
{
    struct nk_error error;
    enum nk_status status = NK_OK;
    if (set->file < 0)
        return;
    set->rows = NULL;
    for (uint32_t s = 0; s < a->range.slices && !status; s++) {
        nk_row_bits *slice = rows + (size_t)s * a->rows;
        status = to_memory ? nk_load_slice(a, set, s, slice, &slice, &error)
                           : nk_store_slice(a, set, s, slice, NULL, &error);
    }
    if (to_memory)
        set->rows = rows;
    if (status)
        nk_losses_set_error(a->losses, &error);
}

bool nk_sparse_begin(struct nk_analysis *a)
{
    a->is_sparse = true;
    nk_parallel(a->threads, a->range.slices, list_found, a);
    /* The last step, which finds the draws, sets `next` from `undecided`. */
    move_set(a, &a->almost_win, a->next.rows, true);
    move_set(a, &a->undecided, a->frontier.rows, true);
    return !nk_losses_error(a->losses, NULL);
}

bool nk_sparse_end(struct nk_analysis *a)
{
    a->is_sparse = false;
    move_set(a, &a->almost_win, a->next.rows, false);
    move_set(a, &a->undecided, a->frontier.rows, false);
    memset(a->frontier.nonempty, 1, (size_t)a->range.slices * a->rows); /* of no meaning, and to be cleared */
    nk_parallel(a->threads, a->range.slices, unlist_found, a);
    return !nk_losses_error(a->losses, NULL);
}

uint64_t nk_sparse_limit(const struct nk_index *index, const struct nk_cluster *cluster,
                         enum nk_layout layout)
{
    const uint64_t stationary = nk_index_configurations_of(index, index->rules.board.pieces - 1);
    const uint64_t slides = nk_slice_count(index) * stationary / (uint64_t)nk_cluster_size(cluster);
    return layout >= NK_ONE_SET_IN_FILE ? 2 * slides : slides;
}

void nk_sparse_free(struct nk_analysis *a)
{
    for (uint32_t s = 0; a->found && s < a->range.slices; s++)
        free(a->found[s].elements);
    free(a->all_found.elements);
    free(a->frontier_list.elements);
}
