/* Puzzles: finding them, and choosing some of them at random. */

#include "common/play/play.h"

#include <assert.h>

/* For nk_puzzle_sample: the entries to begin with, and how far from each one to look for a won or drawn position. */
enum { CANDIDATES = 64, NEAR = 4096 };

/* A search for puzzles in the table: what is searched for, and the results so far. */
struct puzzle_search {
    struct nk_table *table;
    const struct nk_rules *rules;
    const struct nk_index *index;
    bool wins, draws;          /* whether to search won and drawn positions */
    uint64_t seed;             /* of the keys */
    struct nk_puzzle *puzzles; /* [wanted], those with the smallest keys of the puzzles found */
    size_t wanted;
    uint64_t largest_key; /* in the sample when it is full: puzzles with larger ones are not looked for */
    struct nk_puzzle_count count;
    struct nk_error *error;
};

/* A search for won positions, for drawn ones, or for both. */
static struct puzzle_search search_for(struct nk_table *table, bool wins, bool draws, struct nk_error *error)
{
    return (struct puzzle_search){.table = table,
                                  .rules = nk_table_rules(table),
                                  .index = table->index,
                                  .wins = wins,
                                  .draws = draws,
                                  .largest_key = UINT64_MAX,
                                  .error = error};
}

/* Finds the only move that keeps the result of a position that is won or drawn. Sets *plies to the distance of the
 * win, 1 for a draw, or 0 if several moves keep the result or there is only one legal move. */
static enum nk_status find_only_move(const struct puzzle_search *search, struct nk_position position,
                                     bool won, struct nk_move *only, int *plies)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(search->rules, position, moves);
    int found = 0;
    *plies = 0;
    for (int m = 0; m < count; m++) {
        uint8_t code;
        const uint64_t entry = nk_index_entry(search->index, nk_position_after(position, moves[m]));
        const enum nk_status status = nk_table_code(search->table, entry, &code, search->error);
        if (status)
            return status;
        if (won ? code < NK_CODE_LOSS : code != NK_CODE_DRAW)
            continue;
        found++;
        *only = moves[m];
        *plies = won ? nk_code_to_loss(code) + 1 : 1;
        if (found > 1)
            break;
    }
    if (found != 1 || count < 2)
        *plies = 0;
    return NK_OK;
}

static struct nk_position image_of(const struct nk_rules *rules, int g, struct nk_position position)
{
    return (struct nk_position){nk_rules_image(rules, g, position.mover),
                                nk_rules_image(rules, g, position.other)};
}

/* A pseudo-random number of the entry. The puzzles with the smallest keys are chosen, in the order of their keys: a
 * smaller sample is the beginning of a larger one. */
static uint64_t entry_key(const struct puzzle_search *search, uint64_t entry)
{
    return nk_random_split(search->seed, entry);
}

static uint64_t puzzle_key(const struct puzzle_search *search, size_t i)
{
    return entry_key(search, nk_index_entry(search->index, search->puzzles[i].position));
}

static void swap(struct puzzle_search *search, size_t i, size_t j)
{
    const struct nk_puzzle swapped = search->puzzles[i];
    search->puzzles[i] = search->puzzles[j];
    search->puzzles[j] = swapped;
}

/* Moves the root down in the first `size` puzzles, of which the trees below it are heaps with their largest keys
 * first. */
static void sift_down(struct puzzle_search *search, size_t root, size_t size)
{
    for (size_t child = 2 * root + 1; child < size; root = child, child = 2 * root + 1) {
        if (child + 1 < size && puzzle_key(search, child) < puzzle_key(search, child + 1))
            child++;
        if (puzzle_key(search, child) < puzzle_key(search, root))
            return;
        swap(search, root, child);
    }
}

static void make_heap(struct puzzle_search *search, size_t size)
{
    for (size_t root = size / 2; root-- > 0;)
        sift_down(search, root, size);
}

/* Adds a puzzle to the sample, which is a heap as soon as it is full. The key is below that of the root then. */
static void sample(struct puzzle_search *search, struct nk_puzzle puzzle)
{
    const uint64_t n = search->count.total++;
    if (n < search->wanted) {
        search->puzzles[n] = puzzle;
        if (n + 1 < search->wanted)
            return;
        make_heap(search, search->wanted);
    } else if (search->wanted) {
        search->puzzles[0] = puzzle;
        sift_down(search, 0, search->wanted);
    } else {
        return;
    }
    search->largest_key = puzzle_key(search, 0);
}

/* Sets *puzzle to the puzzle of an entry and *plies to its plies as in nk_puzzle_take, or to -1 if there is none. */
static enum nk_status find_puzzle(const struct puzzle_search *search, uint64_t entry,
                                  struct nk_puzzle *puzzle, int *plies)
{
    uint8_t code;
    *plies = -1;
    enum nk_status status = nk_table_code(search->table, entry, &code, search->error);
    if (status || code >= NK_CODE_LOSS)
        return status;
    const bool win = code == NK_CODE_WIN;
    if (!(win ? search->wins : search->draws))
        return NK_OK;
    *puzzle = (struct nk_puzzle){.position = nk_index_position(search->index, entry), .to_move = NK_BLACK};
    if (nk_rules_won(search->rules, puzzle->position.mover))
        return NK_OK;
    int found;
    status = find_only_move(search, puzzle->position, win, &puzzle->answer, &found);
    if (!status && found && nk_position_is_unique(search->rules, nk_position_after_pass(puzzle->position)))
        *plies = win ? found : NK_PUZZLE_DRAW;
    return status;
}

/* Gives a puzzle a random symmetry and colour. */
static void vary(const struct nk_rules *rules, struct nk_puzzle *puzzle, uint64_t *random)
{
    const int g = (int)nk_random_below(random, (uint32_t)rules->symmetries);
    puzzle->position = image_of(rules, g, puzzle->position);
    puzzle->answer.from = rules->image[g][puzzle->answer.from];
    puzzle->answer.to = rules->image[g][puzzle->answer.to];
    puzzle->to_move = nk_random_below(random, 2) ? NK_WHITE : NK_BLACK;
}

/* Sorts the sample by keys, by a heap sort, and varies each puzzle by its key. */
static void finish_sample(struct puzzle_search *search)
{
    const size_t kept = search->count.total < search->wanted ? (size_t)search->count.total : search->wanted;
    make_heap(search, kept);
    for (size_t size = kept; size-- > 0;) {
        uint64_t random = puzzle_key(search, 0);
        swap(search, 0, size);
        vary(search->rules, &search->puzzles[size], &random);
        sift_down(search, 0, size);
    }
}

enum nk_status nk_puzzle_survey(struct nk_table *table, uint8_t *survey, struct nk_error *error)
{
    const struct puzzle_search search = search_for(table, true, true, error);
    for (uint64_t entry = 0; entry < search.index->entries; entry++) {
        struct nk_puzzle puzzle;
        int plies;
        const enum nk_status status = find_puzzle(&search, entry, &puzzle, &plies);
        if (status)
            return status;
        survey[entry] = plies < 0 ? 0 : nk_puzzle_survey_code(plies);
    }
    return NK_OK;
}

enum nk_status nk_puzzle_take(struct nk_table *table, const uint8_t *survey, int plies, uint64_t *random,
                              struct nk_puzzle *puzzles, size_t wanted, struct nk_puzzle_count *count,
                              struct nk_error *error)
{
    struct puzzle_search search = search_for(table, plies != NK_PUZZLE_DRAW, plies == NK_PUZZLE_DRAW, error);
    search.seed = nk_random(random);
    search.puzzles = puzzles;
    search.wanted = wanted;
    for (uint64_t entry = 0; entry < search.index->entries; entry++) {
        struct nk_puzzle puzzle;
        int found;
        if ((survey && survey[entry] != nk_puzzle_survey_code(plies)) ||
            entry_key(&search, entry) > search.largest_key)
            continue;
        const enum nk_status status = find_puzzle(&search, entry, &puzzle, &found);
        if (status)
            return status;
        if (found > search.count.longest)
            search.count.longest = found;
        if (found >= 0 && found == plies)
            sample(&search, puzzle);
    }
    finish_sample(&search);
    *count = search.count;
    return NK_OK;
}

/* Moves *entry to the first of the next NEAR entries whose code is `code`, if there is one. */
static enum nk_status find_code(struct nk_table *table, uint64_t *entry, uint8_t code, struct nk_error *error)
{
    const uint64_t left = table->index->entries - *entry;
    for (uint64_t n = 0; n < left && n < NEAR; n++) {
        uint8_t present;
        const enum nk_status status = nk_table_code(table, *entry + n, &present, error);
        if (status)
            return status;
        if (present == code) {
            *entry += n;
            break;
        }
    }
    return NK_OK;
}

enum nk_status nk_puzzle_sample(struct nk_table *table, int from, int to, uint64_t *random,
                                struct nk_puzzle *puzzle, bool *found, struct nk_error *error)
{
    const struct puzzle_search search = search_for(table, to != NK_PUZZLE_DRAW, to == NK_PUZZLE_DRAW, error);
    enum nk_status status = NK_OK;
    *found = false;
    for (int n = 0; n < CANDIDATES && !*found && !status; n++) {
        int plies = -1;
        uint64_t entry = nk_random(random) % search.index->entries;
        status = find_code(table, &entry, search.wins ? NK_CODE_WIN : NK_CODE_DRAW, error);
        if (!status)
            status = find_puzzle(&search, entry, puzzle, &plies);
        *found = !status && plies >= from && plies <= to;
    }
    if (!status && *found)
        vary(search.rules, puzzle, random);
    return status;
}

enum nk_status nk_puzzles(struct nk_table *table, int plies, uint64_t *random, struct nk_puzzle puzzles[],
                          size_t room, size_t *count, struct nk_error *error)
{
    assert(table && random && count && (puzzles || !room));
    struct nk_puzzle_count found;
    const enum nk_status status = nk_puzzle_take(table, NULL, plies, random, puzzles, room, &found, error);
    if (!status)
        *count = found.total < room ? (size_t)found.total : room;
    return status;
}
