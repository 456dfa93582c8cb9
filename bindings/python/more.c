#include "common/play/opponents.h"
#include "common/play/puzzle.h"

#include <stdlib.h>

#include "more.h"

bool more_opponent(int n, struct nk_text *name, struct nk_text *about)
{
    struct nk_opponent opponent;
    if (!nk_opponent_ranked(n, &opponent))
        return false;
    nk_opponent_print(opponent, name->s);
    *about = nk_opponent_about(opponent);
    return true;
}

enum nk_status more_opponent_move(const char *name, struct nk_table *table, const struct nk_game *game,
                                  uint64_t *random, struct nk_move *move, struct nk_error *error)
{
    struct nk_opponent opponent;
    const enum nk_status status = nk_opponent_parse(name, &opponent, error);
    if (status)
        return status;
    if (nk_opponent_is_human(opponent))
        return nk_fail(error, NK_E_SYNTAX, 0, "'%s' cannot play here", name);
    return nk_opponent_move(opponent, table, game, random, NULL, move, NULL, error);
}

enum nk_status more_puzzles(struct nk_table *table, int plies, uint64_t *random, struct more_puzzle puzzles[],
                            size_t wanted, size_t *count, struct nk_error *error)
{
    struct nk_puzzle_count found;
    struct nk_puzzle *taken = calloc(wanted + 1, sizeof *taken);
    if (!taken)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for %zu puzzles", wanted);
    const enum nk_status status = nk_puzzle_take(table, NULL, plies, random, taken, wanted, &found, error);
    if (!status) {
        *count = found.total < wanted ? (size_t)found.total : wanted;
        for (size_t i = 0; i < *count; i++)
            puzzles[i] = (struct more_puzzle){taken[i].position, taken[i].to_move, taken[i].answer};
    }
    free(taken);
    return status;
}

enum nk_status more_parse(const struct nk_rules *rules, const char *texts, size_t size, size_t count,
                          struct nk_position positions[], uint8_t to_move[], size_t *done,
                          struct nk_error *error)
{
    for (*done = 0; *done < count; ++*done) {
        enum nk_colour colour;
        const enum nk_status status =
            nk_position_parse(rules, texts + *done * size, &positions[*done], &colour, error);
        if (status)
            return status;
        to_move[*done] = (uint8_t)colour;
    }
    return NK_OK;
}

enum nk_status more_texts(const struct nk_rules *rules, const struct nk_position positions[],
                          const uint8_t to_move[], size_t count, struct nk_text texts[], size_t *done,
                          struct nk_error *error)
{
    for (*done = 0; *done < count; ++*done) {
        const enum nk_colour colour = to_move[*done] ? NK_WHITE : NK_BLACK;
        const enum nk_status status = nk_position_check(rules, positions[*done], colour, error);
        if (status)
            return status;
        texts[*done] = nk_position_text(rules, positions[*done], colour);
    }
    return NK_OK;
}
