#include "player/puzzle.h"

#include "player/random.h"

/* What is asked, and what the search through the table has come to. */
struct quest {
    struct nk_table *table;
    const struct nk_rules *rules;
    const struct nk_index *index;
    bool wins, draws; /* what is looked for */
    uint64_t *random;
    struct nk_puzzle *puzzles;
    size_t wanted;
    struct nk_puzzle_count count;
    struct nk_error *error;
};

/* Looks for the only move to a position lost (when this one is won) or drawn (when it is a draw). *plies is 0
 * when there is not exactly one, or no other move at all; for a draw 1. */
static enum nk_status find_only_move(const struct quest *quest, struct nk_position position, bool won,
                                     struct nk_move *only, int *plies)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(quest->rules, position, moves);
    int found = 0;
    *plies = 0;
    for (int m = 0; m < count; m++) {
        uint8_t code;
        const uint64_t entry = nk_index_entry(quest->index, nk_position_after(position, moves[m]));
        const enum nk_status status = nk_table_code(quest->table, entry, &code, quest->error);
        if (status)
            return status;
        if (won ? code < NK_CODE_LOSS : code != NK_CODE_DRAW)
            continue;
        found++;
        *only = moves[m];
        *plies = won ? 2 * (code - NK_CODE_LOSS) + 1 : 1;
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

/* Whether no image of the position has an entry before this one. */
static bool is_first_image(const struct quest *quest, struct nk_position position, uint64_t entry)
{
    for (int g = 0; g < quest->rules->symmetries; g++)
        if (nk_index_entry(quest->index, image_of(quest->rules, g, position)) < entry)
            return false;
    return true;
}

/* Keeps the n-th puzzle found with chance wanted/n, so that in the end all have had the same chance. */
static void keep_by_chance(struct quest *quest, struct nk_puzzle puzzle)
{
    const uint64_t n = ++quest->count.total;
    if (n <= quest->wanted) {
        quest->puzzles[n - 1] = puzzle;
        return;
    }
    const uint64_t place = nk_random(quest->random) % n;
    if (place < quest->wanted)
        quest->puzzles[place] = puzzle;
}

/* The puzzle of an entry; *plies as asked for in nk_puzzle_take, or -1 when there is none. */
static enum nk_status find_puzzle(const struct quest *quest, uint64_t entry, struct nk_puzzle *puzzle,
                                  int *plies)
{
    uint8_t code;
    *plies = -1;
    enum nk_status status = nk_table_code(quest->table, entry, &code, quest->error);
    if (status || code >= NK_CODE_LOSS)
        return status;
    const bool win = code == NK_CODE_WIN;
    if (!(win ? quest->wins : quest->draws))
        return NK_OK;
    *puzzle = (struct nk_puzzle){.position = nk_index_position(quest->index, entry), .to_move = NK_BLACK};
    if (nk_rules_won(quest->rules, puzzle->position.mover))
        return NK_OK;
    int found;
    status = find_only_move(quest, puzzle->position, win, &puzzle->answer, &found);
    if (!status && found && is_first_image(quest, puzzle->position, entry))
        *plies = win ? found : NK_PUZZLE_SAVE;
    return status;
}

/* The ones kept stand in the order of the table, all alike in colour and lie. */
static void shuffle(const struct quest *quest, size_t kept)
{
    for (size_t i = kept; i > 1; i--) {
        const size_t j = (size_t)(nk_random(quest->random) % i);
        const struct nk_puzzle swapped = quest->puzzles[i - 1];
        quest->puzzles[i - 1] = quest->puzzles[j];
        quest->puzzles[j] = swapped;
    }
    for (size_t i = 0; i < kept; i++) {
        struct nk_puzzle *puzzle = &quest->puzzles[i];
        const int g = (int)nk_random_below(quest->random, (uint32_t)quest->rules->symmetries);
        puzzle->position = image_of(quest->rules, g, puzzle->position);
        puzzle->answer.from = quest->rules->image[g][puzzle->answer.from];
        puzzle->answer.to = quest->rules->image[g][puzzle->answer.to];
        puzzle->to_move = nk_random_below(quest->random, 2) ? NK_WHITE : NK_BLACK;
    }
}

enum nk_status nk_puzzle_survey(struct nk_table *table, uint64_t begin, uint64_t end, uint8_t *kinds,
                                struct nk_error *error)
{
    const struct quest quest = {
        .table = table,
        .rules = nk_table_rules(table),
        .index = nk_table_index(table),
        .wins = true,
        .draws = true,
        .error = error,
    };
    for (uint64_t entry = begin; entry < end; entry++) {
        struct nk_puzzle puzzle;
        int plies;
        const enum nk_status status = find_puzzle(&quest, entry, &puzzle, &plies);
        if (status)
            return status;
        kinds[entry] = plies < 0 ? 0 : nk_puzzle_kind(plies);
    }
    return NK_OK;
}

enum nk_status nk_puzzle_take(struct nk_table *table, const uint8_t *kinds, int plies, uint64_t *random,
                              struct nk_puzzle *puzzles, size_t wanted, struct nk_puzzle_count *count,
                              struct nk_error *error)
{
    struct quest quest = {
        .table = table,
        .rules = nk_table_rules(table),
        .index = nk_table_index(table),
        .wins = plies != NK_PUZZLE_SAVE,
        .draws = plies == NK_PUZZLE_SAVE,
        .random = random,
        .puzzles = puzzles,
        .wanted = wanted,
        .error = error,
    };
    for (uint64_t entry = 0; entry < quest.index->entries; entry++) {
        struct nk_puzzle puzzle;
        int found;
        if (kinds && kinds[entry] != nk_puzzle_kind(plies))
            continue;
        const enum nk_status status = find_puzzle(&quest, entry, &puzzle, &found);
        if (status)
            return status;
        if (found > quest.count.longest)
            quest.count.longest = found;
        if (found == plies)
            keep_by_chance(&quest, puzzle);
    }
    shuffle(&quest, quest.count.total < wanted ? (size_t)quest.count.total : wanted);
    *count = quest.count;
    return NK_OK;
}
