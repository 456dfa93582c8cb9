/* The table's reader. The first byte says what the rest is:
 *
 *   0  the table
 *
 *   1  the same, signature, version, size and all checksums set right: what follows them is reached
 *
 *   2  codes and traps, repeated as needed, of a small board: every combination that can be in a block
 */

#include "tests/fuzz/fuzz.h"

#include "common/table/table.h"
#include "tests/seal.h"
#include "tests/table_format.h"

/* ---- asking ---- */

static bool is_corrupt(enum nk_status status, const struct nk_error *error)
{
    return has_failed(status, error, 1 << NK_E_CORRUPT, 0);
}

/* One move further than the longest win, since nobody says that a table is of this world. */
static void check_range(struct nk_value value)
{
    CHECK(value.result >= NK_LOSS);
    CHECK(value.result <= NK_WIN);
    CHECK(value.plies >= 0);
    CHECK(value.plies <= NK_MAX_PLIES + 1);
    CHECK(value.result == NK_DRAW ? !value.plies : value.plies % 2 == (value.result == NK_WIN));
}

static void ask_moves(struct nk_table *table, struct nk_position position, const struct nk_value *value)
{
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_move_value moves[NK_MAX_MOVES];
    struct nk_move legal[NK_MAX_MOVES];
    struct nk_error error;
    int count = -77;
    if (is_corrupt(nk_table_moves(table, position, moves, &count, &error), &error)) {
        CHECK(count == -77);
        return;
    }
    CHECK(count == nk_position_moves(rules, position, legal));
    for (int m = 0; m < count; m++) {
        check_range(moves[m].value);
        CHECK(!m || !nk_value_better(moves[m].value, moves[m - 1].value));
        CHECK(!nk_move_check(rules, position, NK_BLACK, moves[m].move, NULL));
    }
    if (value && value->result == NK_WIN) {
        CHECK(count);
        CHECK(same_value(moves[0].value, *value));
    }
}

static void ask(struct nk_table *table, uint64_t entry)
{
    const struct nk_index *index = table->index;
    const struct nk_position position = nk_index_position(index, entry);
    struct nk_value value = {NK_DRAW, -77};
    struct nk_error error;
    uint8_t code = 77, trap = 77;
    if (is_corrupt(nk_table_code(table, entry, &code, &error), &error)) {
        CHECK(code == 77);
        CHECK(nk_table_code(table, entry, &code, NULL) == error.status);
    }
    if (nk_rules_won(&index->rules, position.mover))
        return;
    CHECK(!nk_position_check(&index->rules, position, NK_BLACK, NULL));
    const bool coded = !nk_table_code(table, nk_index_entry(index, position), &code, NULL);
    const bool valued = !is_corrupt(nk_table_value(table, position, &value, &error), &error);
    if (valued) {
        check_range(value);
        CHECK(coded);
        CHECK((value.result == NK_WIN) == (code == CODE_WIN));
        CHECK((value.result == NK_DRAW) == (code == CODE_DRAW));
        CHECK(value.result != NK_LOSS || code_of_loss(value.plies) == code);
    } else {
        CHECK(value.plies == -77);
        CHECK(!coded || code == CODE_WIN);
    }
    if (is_corrupt(nk_table_trap(table, position, &trap, &error), &error)) {
        CHECK(trap == 77);
    } else {
        CHECK(coded);
        CHECK(code == CODE_DRAW || !trap);
    }
    ask_moves(table, position, valued ? &value : NULL);
}

/* Asks for one entry, and if it is to be thorough for others from the first to the last. */
static void ask_some(struct nk_table *table, uint64_t choice, bool thorough)
{
    enum { MORE = 8 };
    const uint64_t entries = table->index->entries;
    ask(table, choice % entries);
    for (uint64_t i = 0; thorough && i < MORE; i++)
        ask(table, i * (entries - 1) / (MORE - 1));
}

/* ---- contents ---- */

static struct bytes contents;

/* A block of codes from the front, or of traps from the back. */
static void make_up(uint32_t block, uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = contents.data[block ? contents.size - 1 - i % contents.size : i % contents.size];
}

/* What is put in comes out: every 16th entry and a position, or all entries and 8 positions. */
static void try_contents(uint64_t choice, bool thorough)
{
    enum { MOST = 400 };
    static struct nk_index *index;
    uint8_t codes[MOST], traps[MOST];
    size_t length;
    struct nk_table *open;
    if (!index)
        index = index_of((struct nk_board){3, 3, 3, 3, NK_WIN_LINE});
    CHECK(index->entries <= sizeof codes);
    make_up(0, codes, index->entries);
    make_up(1, traps, index->entries);
    uint8_t *table = made_up_table(index, NK_MAX_PLIES, make_up, &length);
    CHECK(table);
    CHECK(!nk_table_open_bytes(table, length, &open, NULL));
    for (size_t i = thorough ? 0 : choice % 16; i < index->entries; i += thorough ? 1 : 16) {
        const struct nk_position position = nk_index_position(index, i);
        uint8_t code, trap;
        CHECK(!nk_table_code(open, i, &code, NULL));
        CHECK(code == codes[i]);
        if (nk_index_entry(index, position) == i && !nk_rules_won(&index->rules, position.mover)) {
            CHECK(!nk_table_trap(open, position, &trap, NULL));
            CHECK(trap == (code == CODE_DRAW ? traps[count_draws(codes, i)] : 0));
        }
    }
    ask_some(open, choice, thorough);
    nk_table_close(open);
    free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nk_table *table = NULL;
    struct nk_error error;
    if (!size)
        return 0;
    const uint8_t how = data[0] % 3;
    const uint64_t choice = XXH3_64bits(data, size) >> 16; /* whatever is_chosen says */
    const bool thorough = is_chosen(data, size, 64);
    uint8_t *bytes = copy_of(data + 1, --size);
    contents = (struct bytes){bytes, size};
    if (how == 2) {
        if (size)
            try_contents(choice, thorough);
        free(bytes);
        return 0;
    }
    if (how == 1)
        seal(bytes, size);
    if (has_failed(nk_table_open_bytes(bytes, size, &table, &error), &error,
                   1 << NK_E_NOT_TABLE | 1 << NK_E_CORRUPT, 0)) {
        CHECK(!table);
    } else {
        ask_some(table, choice, thorough);
        nk_table_close(table);
    }
    free(bytes);
    return 0;
}
