#include "player/start.h"

#include "common/index.h"

/* The most positions to look up: codes, of which each needs a block of the table, and values of positions that are not
 * drawn, which need the block of each move. */
enum { MAX_CODES = 1000, MAX_VALUES = 100 };

enum { REQUESTED = 50 }; /* codes to look up at least before a failure counts: see nk_first_failure */

/* The squares reflected from rank to rank, or also from file to file. */
static uint64_t reflected(const struct nk_rules *rules, uint64_t squares, bool files, bool ranks)
{
    uint64_t image = 0;
    for (; squares; squares &= squares - 1) {
        const int square = nk_first(squares);
        const int file = square % rules->width, rank = square / rules->width;
        image |= nk_bit((files ? rules->width - 1 - file : file) +
                        rules->width * (ranks ? rules->height - 1 - rank : rank));
    }
    return image;
}

struct search {
    struct nk_table *table;
    const struct nk_rules *rules;
    int codes, values; /* looked up for one kind of symmetry */
    struct nk_position best;
    int plies; /* of its win or loss, NK_MAX_PLIES + 1 for a draw, -1 for no position */
};

/* Looks a position up unless it is not a position to begin with. */
static enum nk_status try_position(struct search *search, struct nk_position position, struct nk_error *error)
{
    struct nk_move moves[NK_MAX_MOVES];
    struct nk_value value;
    if (position.mover & position.other || nk_rules_won(search->rules, position.mover) ||
        nk_rules_won(search->rules, position.other) || !nk_position_moves(search->rules, position, moves))
        return NK_OK;
    search->codes++;
    uint8_t code;
    enum nk_status status =
        nk_table_code(search->table, nk_index_entry(nk_table_index(search->table), position), &code, error);
    if (status || (code != NK_CODE_DRAW && search->values == MAX_VALUES))
        return status;
    if (code == NK_CODE_DRAW)
        value.plies = NK_MAX_PLIES + 1;
    else if ((status = nk_table_value(search->table, position, &value, error)))
        return status;
    search->values++;
    if (value.plies > search->plies) {
        search->best = position;
        search->plies = value.plies;
    }
    return NK_OK;
}

/* Tries the positions in which White's pieces are the image of Black's; `symmetric`: only those of Black that are
 * equal to their own reflection from file to file. Configurations with their pieces on the lowest ranks come first. */
static enum nk_status try_all(struct search *search, bool symmetric, struct nk_error *error)
{
    const struct nk_rules *rules = search->rules;
    const uint32_t configurations = nk_table_index(search->table)->configurations;
    uint64_t black = nk_bit(rules->pieces) - 1;
    search->codes = search->values = 0;
    enum nk_status status = NK_OK;
    for (uint32_t rank = 0; rank < configurations; rank++, black = nk_index_next(black)) {
        if (search->codes == MAX_CODES || search->plies > NK_MAX_PLIES ||
            (status && search->codes % REQUESTED == 0))
            break;
        if (symmetric && reflected(rules, black, true, false) != black)
            continue;
        const struct nk_position position = {black, reflected(rules, black, !symmetric, true)};
        status = nk_first_failure(status, try_position(search, position, error));
    }
    return status;
}

enum nk_status nk_start_find(struct nk_table *table, struct nk_position *position, struct nk_error *error)
{
    struct search search = {.table = table, .rules = nk_table_rules(table), .plies = -1};
    if (nk_rules_start(search.rules, position))
        return NK_OK;
    enum nk_status status = try_all(&search, true, error);
    if (!status && search.plies <= NK_MAX_PLIES)
        status = try_all(&search, false, error);
    if (!status && search.plies < 0)
        status = nk_fail(error, NK_E_POSITION, 0, "this board has no start position: specify a position");
    if (!status)
        *position = search.best;
    return status;
}
