/* The analysis: the slides of a board, the steps in which it decides positions, slice by slice, the passes that consist
 * of them, and how it resumes from a record of losses. */

#include "solver/analysis/analysis.h"

#include "common/system/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static_assert(_Alignof(nk_row_bits) <= NK_ALIGNMENT, "arrays are aligned for rows");

/* ---- slides ---- */

void nk_slides_describe(const struct nk_index *index, struct nk_slides *slides, struct nk_memory *memory)
{
    const uint32_t stationary_count = nk_index_configurations_of(index, index->rules.board.pieces - 1);
    const uint64_t squares = (uint64_t)index->rules.squares, pieces = (uint64_t)index->rules.board.pieces;
    *slides = (struct nk_slides){.stationary_count = stationary_count};
    nk_memory_add(memory, &slides->row_of, stationary_count * squares, sizeof *slides->row_of);
    nk_memory_add(memory, &slides->stationary, stationary_count, sizeof *slides->stationary);
    nk_memory_add(memory, &slides->stationary_of, index->configurations * pieces,
                  sizeof *slides->stationary_of);
}

static void fill_lines(const struct nk_rules *rules, struct nk_slides *slides)
{
    for (int d = NK_NORTH; d <= NK_SOUTH_EAST; d++)
        for (int s = 0; s < rules->squares; s++) {
            const bool begins_line = rules->next[(d + 4) % NK_DIRECTIONS][s] == NK_NO_SQUARE;
            if (!begins_line || rules->next[d][s] == NK_NO_SQUARE)
                continue;
            struct nk_line *line = &slides->lines[slides->line_count++];
            for (int on = s; on != NK_NO_SQUARE; on = rules->next[d][on])
                line->square[line->length++] = (uint8_t)on;
        }
}

static void fill_stationary(const struct nk_index *index, struct nk_slides *slides)
{
    uint64_t stationary = nk_bit(index->rules.board.pieces - 1) - 1;
    for (uint32_t i = 0; i < slides->stationary_count; i++, stationary = nk_index_next(stationary)) {
        slides->stationary[i] = stationary;
        for (int s = 0; s < slides->squares; s++) {
            uint32_t *row = &slides->row_of[(size_t)i * (size_t)slides->squares + (size_t)s];
            if (stationary & nk_bit(s)) {
                *row = 0;
                continue;
            }
            const uint64_t configuration = stationary | nk_bit(s);
            *row = nk_index_number(index, configuration);
            /* Each set that a configuration contains lacks another one of its pieces. */
            const int missing = __builtin_popcountll(configuration & (nk_bit(s) - 1));
            slides->stationary_of[(size_t)*row * (size_t)slides->pieces + (size_t)missing] = i;
        }
    }
}

void nk_slides_fill(const struct nk_index *index, struct nk_slides *slides)
{
    slides->squares = index->rules.squares;
    slides->pieces = index->rules.board.pieces;
    slides->board = index->rules.all_squares;
    fill_lines(&index->rules, slides);
    fill_stationary(index, slides);
}

/* ---- what is constant in a slice ---- */

void nk_fill_occupied(const struct nk_index *index, uint32_t slice, nk_row_bits occupied[NK_MAX_SQUARES])
{
    const uint32_t first = slice * NK_SLICE_COLUMNS, left = index->orbit_count - first;
    memset(occupied, 0, NK_MAX_SQUARES * sizeof *occupied);
    for (uint32_t c = 0; c < left && c < NK_SLICE_COLUMNS; c++)
        for (uint64_t squares = nk_index_canonical_squares(index, first + c); squares; squares &= squares - 1)
            occupied[nk_first(squares)].word[c / 64] |= nk_bit(c % 64);
}

nk_row_bits nk_columns_by_win(const struct nk_index *index, uint32_t slice, const bool *won, bool has_won)
{
    const uint32_t first = slice * NK_SLICE_COLUMNS, left = index->orbit_count - first;
    nk_row_bits columns = nk_no_bits;
    for (uint32_t c = 0; c < left && c < NK_SLICE_COLUMNS; c++)
        if (won[nk_index_canonical(index, first + c)] == has_won)
            columns.word[c / 64] |= nk_bit(c % 64);
    return columns;
}

/* ---- the steps of the analysis ---- */

/* A step decides positions of one slice: it sets `next` there to them, with the rows that are not empty. run_slice then
 * removes them from `undecided`, counts them and adds them to the losses. */
struct step {
    void (*decide)(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker);
    bool uses_almost_win;
    bool is_last; /* nothing reads the sets afterwards */

    /* It changes `undecided` in rows of `next` only, and `almost_win` in rows of the frontier only. */
    bool is_pass;
};

/* Those of the legal positions of a row that have no legal move: all neighbours are occupied. */
static nk_row_bits stalemates_in(const struct nk_analysis *a, const nk_row_bits *occupied, nk_row_bits legal,
                                 uint32_t row)
{
    uint64_t left = nk_rules_neighbours(&a->index->rules, a->index->squares[row]);
    for (; left && nk_row_any(&legal); left &= left - 1)
        nk_row_and(&legal, &occupied[nk_first(left)]);
    return legal;
}

/* The first step: fills `undecided` with the legal positions in which nobody has won, and decides those without legal
 * moves, which the last step adds to the draws: all moves of such a position lead to wins, but it is not a loss. */
static void init_undecided(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const nk_row_bits *occupied = nk_occupied_in(a, slice);
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const nk_row_bits not_won = nk_columns_by_win(a->index, a->range.first_slice + slice, a->won, false);
    for (uint32_t r = 0; r < a->rows; r++) {
        worker->undecided[r] = nk_legal_in_row(a->index, a->won, occupied, not_won, r);
        next.rows[r] = stalemates_in(a, occupied, worker->undecided[r], r);
        next.nonempty[r] = nk_row_any(&next.rows[r]);
    }
}

/* Ply 0: decides the losses of 0 plies, in which the other side has already won. They never were in `undecided`. */
static void find_finished(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    (void)worker;
    const nk_row_bits *occupied = nk_occupied_in(a, slice);
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const nk_row_bits won = nk_columns_by_win(a->index, a->range.first_slice + slice, a->won, true);
    for (uint32_t r = 0; r < a->rows; r++) {
        next.rows[r] = nk_legal_in_row(a->index, a->won, occupied, won, r);
        next.nonempty[r] = nk_row_any(&next.rows[r]);
    }
}

/* Odd plies: decides the undecided positions with a move into the frontier, which consists of losses. Even plies:
 * decides those of the undecided positions that have no other moves than to wins. */
static struct step pass_step(const struct nk_analysis *a, bool finds_losses)
{
    return (struct step){.decide = finds_losses ? a->kernel->find_losses : a->kernel->find_predecessors,
                         .is_pass = true,
                         .uses_almost_win = finds_losses};
}

/* The last step: decides as draws all that is still undecided, and the positions without legal moves. */
static void find_draws(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const nk_row_bits *occupied = nk_occupied_in(a, slice);
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const nk_row_bits not_won = nk_columns_by_win(a->index, a->range.first_slice + slice, a->won, false);
    for (uint32_t r = 0; r < a->rows; r++) {
        next.rows[r] = stalemates_in(a, occupied, nk_legal_in_row(a->index, a->won, occupied, not_won, r), r);
        nk_row_or(&next.rows[r], &worker->undecided[r]);
        next.nonempty[r] = nk_row_any(&next.rows[r]);
    }
}

static const struct step step_init = {.decide = init_undecided}, step_finished = {.decide = find_finished},
                         step_draws = {.decide = find_draws, .is_last = true};

/* ---- the steps of resuming ---- */

/* A slice that is being restored. */
struct restored_slice {
    struct nk_bitset next;
    const nk_row_bits *undecided;
};

/* Adds recorded losses to `next`. They must be undecided; those that are recorded twice make the counts wrong. */
static bool add_losses(void *context, uint8_t code, uint32_t row, const nk_row_bits *bits)
{
    (void)code;
    const struct restored_slice *slice = context;
    nk_row_bits wrong = *bits;
    nk_row_andnot(&wrong, &slice->undecided[row]);
    if (nk_row_any(&wrong))
        return false;
    nk_row_or(&slice->next.rows[row], bits);
    slice->next.nonempty[row] = 1;
    return true;
}

static void read_losses(struct nk_analysis *a, uint32_t slice, const struct nk_worker *worker, uint8_t first,
                        uint8_t last)
{
    struct restored_slice context = {nk_slice_of(a, &a->next, slice), worker->undecided};
    struct nk_error error;
    if (nk_losses_read(a->losses, a->range.first_slice + slice, first, last, add_losses, &context, &error))
        nk_losses_set_error(a->losses, &error);
}

/* Adds to `next`, which has the losses of ply 0, those of all plies before the last, or up to an odd one. */
static void read_earlier_losses(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    read_losses(a, slice, worker, nk_loss_to_code(2),
                (uint8_t)(nk_loss_to_code(a->losses->state.ply + 1) - 1));
}

/* Sets `next` to the losses of the last ply. The frontier, which are all wins, becomes `almost_win`. */
static void read_last_losses(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const uint8_t last = nk_loss_to_code(a->losses->state.ply);
    memcpy(worker->almost_win, nk_slice_of(a, &a->frontier, slice).rows, a->rows * sizeof *next.rows);
    memset(next.rows, 0, a->rows * sizeof *next.rows);
    memset(next.nonempty, 0, a->rows);
    read_losses(a, slice, worker, last, last);
}

static const struct step step_earlier_losses = {.decide = read_earlier_losses},
                         step_last_losses = {.decide = read_last_losses, .uses_almost_win = true};

/* ---- sets that are used slice by slice ---- */

/* Rows are written in groups of a few pages of the page cache. */
enum { ROWS_WRITTEN = 256 };

static uint64_t offset_of(const struct nk_analysis *a, uint32_t slice, size_t row)
{
    return ((uint64_t)slice * a->rows + row) * sizeof(nk_row_bits);
}

static bool is_in_file(const struct nk_sliced_set *set)
{
    return NK_HAS_FILES && !set->rows;
}

/* Begins to read a slice from the disk. */
static void prefetch_slice(const struct nk_analysis *a, const struct nk_sliced_set *set, uint32_t slice)
{
    if (is_in_file(set))
        nk_system_prefetch(set->file, offset_of(a, slice, 0), a->rows * sizeof *set->rows);
}

enum nk_status nk_load_slice(const struct nk_analysis *a, const struct nk_sliced_set *set, uint32_t slice,
                             nk_row_bits *buffer, nk_row_bits **rows, struct nk_error *error)
{
    *rows = is_in_file(set) ? buffer : set->rows + (size_t)slice * a->rows;
    if (!is_in_file(set) ||
        nk_file_read_at(set->file, buffer, a->rows * sizeof *buffer, offset_of(a, slice, 0)))
        return NK_OK;
    return nk_fail(error, NK_E_READ, 0, "cannot read the file of a set of positions: %s",
                   nk_system_error(errno).s);
}

enum nk_status nk_store_slice(const struct nk_analysis *a, const struct nk_sliced_set *set, uint32_t slice,
                              const nk_row_bits *rows, const uint8_t *changed, struct nk_error *error)
{
    size_t begin = 0; /* of the rows to be written next */
    for (size_t row = 0; is_in_file(set) && row < a->rows; row += ROWS_WRITTEN) {
        const size_t end = (size_t)nk_least(row + ROWS_WRITTEN, a->rows);
        const bool is_changed = !changed || memchr(changed + row, 1, end - row);
        if (is_changed && end < a->rows)
            continue;
        const size_t until = is_changed ? end : row;
        if (begin < until && !nk_file_write_at(set->file, rows + begin, (until - begin) * sizeof *rows,
                                               offset_of(a, slice, begin)))
            return nk_fail(error, NK_E_WRITE, 0, "cannot write the file of a set of positions: %s",
                           nk_system_error(errno).s);
        begin = end;
    }
    return NK_OK;
}

/* ---- running a step in all slices ---- */

/* A step that is running. */
struct running_step {
    struct nk_analysis *a;
    const struct step *step;
    uint8_t code; /* with which the losses record what it decides, or 0 */
};

static uint32_t slice_in_order(const struct nk_analysis *a, uint32_t item)
{
    return a->is_backward ? a->range.slices - 1 - item : item;
}

/* Gives a worker the scratch of its thread, and the rows that a step uses. */
static enum nk_status load(const struct running_step *job, uint32_t slice, int thread,
                           struct nk_worker *worker, struct nk_error *error)
{
    const struct nk_analysis *a = job->a;
    const size_t first = (size_t)thread * a->rows; /* of the thread's scratch */
    nk_row_bits *const undecided = a->undecided_buffers ? a->undecided_buffers + first : NULL;
    nk_row_bits *const almost_win = a->almost_win_buffers ? a->almost_win_buffers + first : NULL;
    worker->active = a->active + (size_t)thread * a->slides.stationary_count;
    enum nk_status status = nk_load_slice(a, &a->undecided, slice, undecided, &worker->undecided, error);
    if (!status && job->step->uses_almost_win)
        status = nk_load_slice(a, &a->almost_win, slice, almost_win, &worker->almost_win, error);
    return status;
}

/* Stores the rows that a step may have changed. */
static enum nk_status store(const struct running_step *job, uint32_t slice, const struct nk_worker *worker,
                            struct nk_error *error)
{
    const struct nk_analysis *a = job->a;
    const bool is_pass = job->step->is_pass;
    if (job->step->is_last)
        return NK_OK;
    enum nk_status status = nk_store_slice(a, &a->undecided, slice, worker->undecided,
                                           is_pass ? nk_slice_of(a, &a->next, slice).nonempty : NULL, error);
    if (!status && job->step->uses_almost_win)
        status = nk_store_slice(a, &a->almost_win, slice, worker->almost_win,
                                is_pass ? nk_slice_of(a, &a->frontier, slice).nonempty : NULL, error);
    return status;
}

/* Work for nk_parallel. */
static void run_slice(void *context, uint32_t item, int thread)
{
    const struct running_step *job = context;
    struct nk_analysis *a = job->a;
    struct nk_worker worker = {0};
    struct nk_error error;
    const uint32_t slice = slice_in_order(a, item), ahead = item + (uint32_t)a->threads;
    if (ahead < a->range.slices) {
        prefetch_slice(a, &a->undecided, slice_in_order(a, ahead));
        if (job->step->uses_almost_win)
            prefetch_slice(a, &a->almost_win, slice_in_order(a, ahead));
    }
    enum nk_status status = load(job, slice, thread, &worker, &error);
    if (!status) {
        const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
        job->step->decide(a, slice, &worker);
        a->decided[slice] = a->kernel->remove_decided(a, slice, &worker, &a->examples[slice]);
        if (job->code)
            nk_losses_append(a->losses, job->code, a->range.first_slice + slice, next.rows, next.nonempty);
        status = store(job, slice, &worker, &error);
    }
    if (status)
        nk_losses_set_error(a->losses, &error);
}

/* Returns how many positions were decided in all slices of all processes. *example (may be NULL) receives the lowest
 * entry among them, or UINT64_MAX. */
static uint64_t count_decided(const struct nk_analysis *a, uint64_t *example)
{
    uint64_t decided = 0, lowest = UINT64_MAX;
    for (uint32_t s = 0; s < a->range.slices; s++) {
        decided += a->decided[s];
        lowest = nk_least(lowest, a->examples[s]);
    }
    if (example)
        *example = nk_cluster_min(a->exchange.cluster, lowest);
    nk_cluster_sum(a->exchange.cluster, &decided, 1);
    return decided;
}

/* Runs a step in all slices of all processes, and records what it decides with this code, unless that is 0. Returns
 * what count_decided does. */
static uint64_t run_step(struct nk_analysis *a, const struct step *step, uint8_t code, uint64_t *example)
{
    struct running_step job = {a, step, code};
    nk_parallel(a->threads, a->range.slices, run_slice, &job);
    a->is_backward = !a->is_backward; /* the page cache still has some of the slices at this end */
    return count_decided(a, example);
}

/* ---- the transposition ---- */

static void clear_frontier(void *context, uint32_t slice, int worker)
{
    (void)worker;
    const struct nk_analysis *a = context;
    const struct nk_bitset frontier = nk_slice_of(a, &a->frontier, slice);
    uint32_t r;
    NK_FOR_MARKED(r, frontier.nonempty, a->rows)
        frontier.rows[r] = nk_no_bits;
    memset(frontier.nonempty, 0, a->rows);
}

/* Transposes `next` of all processes into `frontier`. Several bring each other a slice from each in every round. */
static void transpose_frontier(struct nk_analysis *a)
{
    const struct nk_cluster *cluster = a->exchange.cluster;
    const uint32_t rounds = cluster ? nk_cluster_largest_range(cluster, a->index).slices : 1;
    nk_parallel(a->threads, a->range.slices, clear_frontier, a);
    for (uint32_t round = 0; round < rounds; round++) {
        if (cluster)
            cluster->run_round(&a->exchange, round, a->own);
        nk_parallel(a->threads, a->range.slices, a->kernel->transpose, a);
    }
}

/* ---- passes ---- */

/* Runs a step, which must decide as many positions as were recorded for the plies first, first + 2, ... to `last`. */
static bool restore(struct nk_analysis *a, const struct step *step, int first, int last)
{
    uint64_t expected = 0;
    for (int ply = first; ply <= last; ply += 2)
        expected += a->losses->state.by_plies[ply];
    return run_step(a, step, 0, NULL) == expected;
}

/* Restores the sets after the ply of the losses from those of ply 0, and from the losses alone. One pass finds all wins
 * from them, since a win of at most d plies is a position with a move to a loss of at most d - 1 plies. After wins the
 * frontier then has those of earlier plies as well, instead of `almost_win`; the next pass decides the same.
 * `stalemates` and `finished` are what the first two steps decided. */
static enum nk_status resume(struct nk_analysis *a, uint64_t stalemates, uint64_t finished,
                             struct nk_error *error)
{
    const struct nk_losses_state *state = &a->losses->state;
    const struct step step_wins = pass_step(a, false);
    const int ply = state->ply;
    bool agrees = stalemates == state->stalemates && finished == state->by_plies[0];
    if (ply > 0) {
        agrees = restore(a, &step_earlier_losses, 0, ply - 1) && agrees;
        transpose_frontier(a);
        agrees = restore(a, &step_wins, 1, ply) && agrees;
    }
    if (ply > 0 && ply % 2 == 0) {
        transpose_frontier(a);
        agrees = restore(a, &step_last_losses, ply, ply) && agrees;
    }
    const enum nk_status status = nk_losses_error(a->losses, error);
    if (status || agrees)
        return status;
    return nk_fail(
        error, NK_E_CORRUPT, 0,
        NK_PATH ": the record contradicts the rules: remove the directory to start over, or name another one",
        NK_PATH_OF(a->losses->storage->directory));
}

/* Decides whether the next pass is sparse, and makes it so. A sequence of sparse passes ends only well above the limit
 * at which it begins. Returns false after a failure, which is the error of the losses. */
static bool choose_kind(struct nk_analysis *a)
{
    enum { ABOVE = 8 };
    const uint64_t positions = a->frontier_positions / (uint64_t)a->index->rules.symmetries;
    if (a->is_sparse)
        return positions / ABOVE <= a->sparse_limit || nk_sparse_end(a);
    return positions > a->sparse_limit || nk_sparse_begin(a);
}

/* Decides the positions of a ply after the first. A loss in more plies than a table can hold has no code and is not
 * recorded. After a failure, which is the error of the losses, the result has no meaning. */
static uint64_t find_next(struct nk_analysis *a, int ply, uint64_t *example)
{
    const bool finds_losses = ply % 2 == 0;
    const struct step step = pass_step(a, finds_losses);
    const uint8_t code = finds_losses && ply <= NK_MAX_PLIES ? nk_loss_to_code(ply) : 0;
    if (!choose_kind(a))
        return 0;
    if (a->is_sparse)
        return nk_sparse_pass(a, finds_losses, code) ? count_decided(a, example) : 0;
    transpose_frontier(a);
    return run_step(a, &step, code, example);
}

enum nk_status nk_analysis_pass(struct nk_analysis *a, struct nk_error *error)
{
    struct nk_losses_state state = a->losses->state;
    uint64_t decided, example;
    const bool begins = !a->has_begun;
    const int ply = begins ? 0 : state.ply + 1;
    if (begins) {
        a->has_begun = true;
        state.stalemates = run_step(a, &step_init, 0, NULL);
        decided = run_step(a, &step_finished, 0, &example);
        if (state.ply >= 0)
            return resume(a, state.stalemates, decided, error);
    } else {
        decided = find_next(a, ply, &example);
        const enum nk_status status = nk_losses_error(a->losses, error);
        if (status)
            return status;
    }
    a->frontier_positions = decided;
    if (decided && ply > NK_MAX_PLIES)
        return nk_fail(error, NK_E_LIMIT, 0,
                       "a game on this board lasts longer than the %d plies that a table can hold",
                       (int)NK_MAX_PLIES);
    if (decided || begins) {
        state.ply = ply;
        state.by_plies[ply] = decided;
        state.example = example;
    }
    if (!decided) {
        state.draws = run_step(a, &step_draws, NK_CODE_DRAW, NULL);
        state.is_complete = true;
    }
    return nk_losses_commit(a->losses, &state, error);
}

uint64_t nk_analysis_sent(const struct nk_analysis *a)
{
    uint64_t sent = a->exchange.sent;
    nk_cluster_sum(a->exchange.cluster, &sent, 1);
    return sent;
}

/* ---- creating and freeing ---- */

int nk_analysis_threads(const struct nk_slice_range *range, int threads)
{
    if (threads <= 0)
        threads = nk_system_processors();
    /* For a single slice, starting threads would take longer than they save. */
    return (uint32_t)threads < range->slices ? threads : range->slices ? (int)range->slices : 1;
}

/* `next` and `frontier` are used in any order, the other two sets slice by slice. */
void nk_analysis_describe(struct nk_analysis *a, const struct nk_index *index,
                          const struct nk_cluster *cluster, struct nk_slice_range range, int threads,
                          enum nk_layout layout)
{
    struct nk_memory *memory = &a->memory;
    *a = (struct nk_analysis){.index = index,
                              .rows = index->configurations,
                              .range = range,
                              .threads = nk_analysis_threads(&range, threads),
                              .frontier_positions = UINT64_MAX,
                              .undecided.file = -1,
                              .almost_win.file = -1};
    const uint64_t slices = range.slices, rows = slices * a->rows, workers = (uint64_t)a->threads;
    nk_slides_describe(index, &a->slides, memory);
    nk_memory_add(memory, &a->won, a->rows, sizeof *a->won);
    nk_memory_add(memory, &a->occupied, slices * NK_MAX_SQUARES, sizeof *a->occupied);
    nk_memory_add(memory, &a->symmetric_orbits, slices * NK_SYMMETRIC_ORBITS, sizeof *a->symmetric_orbits);
    nk_memory_add(memory, &a->next.rows, rows, sizeof *a->next.rows);
    nk_memory_add(memory, &a->next.nonempty, rows, sizeof *a->next.nonempty);
    nk_memory_add(memory, &a->frontier.rows, rows, sizeof *a->frontier.rows);
    nk_memory_add(memory, &a->frontier.nonempty, rows, sizeof *a->frontier.nonempty);
    nk_memory_add(memory, &a->decided, slices, sizeof *a->decided);
    nk_memory_add(memory, &a->examples, slices, sizeof *a->examples);
    nk_memory_add(memory, &a->own, slices, sizeof *a->own);
    nk_memory_add(memory, &a->found, slices, sizeof *a->found);
    nk_memory_add(memory, &a->first_in_slice, slices + 2, sizeof *a->first_in_slice);
    nk_memory_add(memory, &a->active, workers * a->slides.stationary_count, sizeof *a->active);
    if (layout >= NK_SETS_IN_FILES)
        nk_memory_add(memory, &a->undecided_buffers, workers * a->rows, sizeof *a->undecided_buffers);
    else
        nk_memory_add(memory, &a->undecided.rows, rows, sizeof *a->undecided.rows);
    if (layout >= NK_ONE_SET_IN_FILE)
        nk_memory_add(memory, &a->almost_win_buffers, workers * a->rows, sizeof *a->almost_win_buffers);
    else
        nk_memory_add(memory, &a->almost_win.rows, rows, sizeof *a->almost_win.rows);
    a->exchange = (struct nk_exchange){.cluster = cluster, .index = index};
    if (cluster)
        cluster->add_exchange(&a->exchange, memory);
}

static void fill_columns(struct nk_analysis *a)
{
    const struct nk_index *index = a->index;
    const struct nk_orbit *orbits = index->orbits + a->range.first_orbit;
    for (uint32_t s = 0; s < a->range.slices; s++)
        nk_fill_occupied(index, a->range.first_slice + s, a->occupied + (size_t)s * NK_MAX_SQUARES);
    for (uint32_t c = 0; c < a->range.orbits; c++)
        for (uint32_t i = 0; i < NK_SYMMETRIC_ORBITS; i++)
            if (orbits[c].size <= (uint32_t)index->rules.symmetries >> (i + 1))
                a->symmetric_orbits[c / NK_SLICE_COLUMNS * NK_SYMMETRIC_ORBITS + i]
                    .word[c % NK_SLICE_COLUMNS / 64] |= nk_bit(c % 64);
}

/* Creates the file of a set that is not in memory. It has no name: its space is reserved here, and free again when it
 * is closed or the process ends. A process may have no slices, but no file is empty. */
static enum nk_status open_set(const struct nk_analysis *a, struct nk_sliced_set *set, struct nk_error *error)
{
    if (!NK_HAS_FILES || set->rows)
        return NK_OK;
    const char *directory = a->losses->storage->directory;
    char *path;
    if (asprintf(&path, "%s/set", directory) < 0)
        return nk_fail_memory(error);
    set->file = nk_system_create_unnamed(path);
    free(path);
    if (set->file >= 0 && nk_system_reserve(set->file, offset_of(a, a->range.slices, 1)))
        return NK_OK;
    return nk_fail(error, NK_E_WRITE, 0, "cannot write a file in " NK_PATH ": %s", NK_PATH_OF(directory),
                   nk_system_error(errno).s);
}

static void close_set(const struct nk_sliced_set *set)
{
    if (set->file >= 0)
        close(set->file);
}

/* Allocates and fills all that the description of an analysis has. */
static enum nk_status allocate_and_fill(struct nk_analysis *a, struct nk_error *error)
{
    if (!nk_memory_allocate(&a->memory))
        return nk_fail_memory(error);
    nk_slides_fill(a->index, &a->slides);
    nk_index_fill_won(a->index, a->won);
    if (a->exchange.cluster)
        a->exchange.cluster->fill_exchange(&a->exchange);
    fill_columns(a);
    for (uint32_t s = 0; s < a->range.slices; s++) {
        const struct nk_bitset next = nk_slice_of(a, &a->next, s);
        a->own[s] = (struct nk_source){a->range.first_slice + s, next.rows, next.nonempty};
    }
    a->exchange.sources = a->own;
    a->exchange.source_count = a->range.slices;
    const enum nk_status status = open_set(a, &a->undecided, error);
    return status ? status : open_set(a, &a->almost_win, error);
}

const struct nk_kernel *nk_find_kernel(int vector_bytes)
{
    const int bytes = nk_vector_bytes(vector_bytes);
    return NK_KERNEL_FOR(bytes, nk_kernel);
}

enum nk_status nk_analysis_new(struct nk_losses *losses, const struct nk_analysis_options *options,
                               struct nk_analysis **out, struct nk_error *error)
{
    struct nk_analysis *a = malloc(sizeof *a);
    if (!a)
        return nk_fail_memory(error);
    nk_analysis_describe(a, losses->index, losses->cluster, nk_cluster_range(losses->cluster, losses->index),
                         options->threads, options->layout);
    a->losses = losses;
    a->kernel = options->kernel ? options->kernel : nk_find_kernel(0);
    a->sparse_limit = options->sparse_limit ? options->sparse_limit
                                            : nk_sparse_limit(a->index, losses->cluster, options->layout);
    const enum nk_status status = allocate_and_fill(a, error);
    if (status)
        nk_analysis_free(a);
    else
        *out = a;
    return status;
}

void nk_analysis_free(struct nk_analysis *a)
{
    if (!a)
        return;
    close_set(&a->undecided);
    close_set(&a->almost_win);
    nk_sparse_free(a);
    nk_memory_free(&a->memory);
    free(a);
}
