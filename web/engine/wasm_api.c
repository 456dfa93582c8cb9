/* The functions that the page calls through web/engine/engine.ts, which documents their answers: input and answer, the
 * table, positions, names, opponents and puzzles. Games and records are in wasm_game.c, solving is in wasm_solve.c.
 *
 * The page writes its input, texts that end with a zero or the bytes of a table, to the address that web_input
 * returns. A function that fails answers {"error", "code", "at"}, and for an illegal position "reason". Without a table
 * there are the rules: positions, moves and games; a function that looks up values fails. */

#include "web/engine/wasm.h"

#include "common/play/play.h"

#include <stdlib.h>
#include <string.h>

struct nk_rules nk_web_rules;
struct nk_index *nk_web_index;
struct nk_table *nk_web_table;
char *nk_web_input;
struct nk_error nk_web_error;

static uint8_t *kinds; /* of all entries, see nk_puzzle_survey; NULL before the first search */

/* Without memory the module stops, which the page notices. */
static void enlarge(struct nk_json *json)
{
    if (!nk_grow(&json->bytes, &json->size, json->size + 1024, 1))
        __builtin_trap(); /* nothing has been changed: the next call may have enough memory */
}

struct nk_json nk_web_answer = {.make_room = enlarge};

/* ---- input and answer ---- */

char *WEB(web_input)(size_t size)
{
    free(nk_web_input);
    return nk_web_input = malloc(size);
}

/* The answer of the last function, which stays there until the next call. */
const char *WEB(web_answer)(void)
{
    return nk_web_answer.bytes;
}

/* The length of the answer. The next function begins a new one. */
size_t WEB(web_answer_length)(void)
{
    const size_t length = nk_web_answer.length;
    nk_web_answer.length = 0;
    nk_web_answer.follows = false;
    return length;
}

bool nk_web_fail(const char *code, const char *reason)
{
    nk_web_answer.length = 0;
    nk_web_answer.follows = false;
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_json_string(&nk_web_answer, "error", nk_web_error.text);
    nk_json_string(&nk_web_answer, "code", code);
    nk_json_integer(&nk_web_answer, "at", (int64_t)nk_web_error.at);
    if (reason)
        nk_json_string(&nk_web_answer, "reason", reason);
    nk_json_end(&nk_web_answer, '}');
    return false;
}

bool nk_web_good(enum nk_status status)
{
    return !status || nk_web_fail(nk_status_name(status), NULL);
}

bool nk_web_has_values(void)
{
    if (nk_web_table)
        return true;
    return nk_web_good(nk_fail(&nk_web_error, NK_E_UNSUPPORTED, 0, "the board has not been solved"));
}

void nk_web_answer_bool(bool value)
{
    nk_json_bool(&nk_web_answer, NULL, value);
}

/* ---- pieces of answers ---- */

void nk_web_add_position(const char *key, struct nk_position position, enum nk_colour to_move)
{
    nk_json_position(&nk_web_answer, key, &nk_web_rules, position, to_move);
}

void nk_web_add_move(const char *key, struct nk_move move)
{
    nk_json_move(&nk_web_answer, key, &nk_web_rules, move);
}

void nk_web_add_move_members(struct nk_move move)
{
    nk_web_add_move("move", move);
    nk_json_string(&nk_web_answer, "from", nk_square_text(&nk_web_rules, move.from).s);
    nk_json_string(&nk_web_answer, "to", nk_square_text(&nk_web_rules, move.to).s);
}

void nk_web_add_choice_members(struct nk_position position, enum nk_colour to_move, struct nk_move move,
                               struct nk_value value)
{
    nk_web_add_move_members(move);
    nk_json_value(&nk_web_answer, "value", value);
    nk_web_add_position("next", nk_position_after(position, move), nk_colour_other(to_move));
}

bool nk_web_read_position(struct nk_position *position, enum nk_colour *to_move)
{
    const struct nk_rules *rules = &nk_web_rules;
    if (!nk_web_good(nk_position_parse_unchecked(rules, nk_web_input, position, to_move, &nk_web_error)))
        return false;
    if (!nk_position_check(rules, *position, *to_move, &nk_web_error))
        return true;
    const uint64_t black = nk_pieces_of(*position, *to_move, NK_BLACK);
    const uint64_t white = nk_pieces_of(*position, *to_move, NK_WHITE);
    return nk_web_fail(nk_status_name(NK_E_POSITION),
                       __builtin_popcountll(black) != rules->board.pieces   ? "black-count"
                       : __builtin_popcountll(white) != rules->board.pieces ? "white-count"
                                                                            : "won");
}

/* ---- the table ---- */

void nk_web_use_table(struct nk_table *table)
{
    nk_web_table = table;
    nk_web_index = table->index;
    nk_web_rules = *nk_table_rules(table); /* of the same board: games that have begun go on */
    nk_json_integer(&nk_web_answer, NULL, (int64_t)table->index->entries);
}

/* Opens the table whose `size` bytes are the input, once in each instance of the module. */
void WEB(web_open)(size_t size)
{
    struct nk_table *table;
    const char *bytes = nk_web_input;
    nk_web_input = NULL; /* the bytes stay, as long as the instance does */
    if (nk_web_good(nk_table_open_bytes(bytes, size, &table, &nk_web_error)))
        nk_web_use_table(table);
}

/* Has JavaScript copy bytes of the table to an address. Returns whether that succeeded; if not, it knows why. */
__attribute__((import_module("env"), import_name("read"))) bool read_table(double offset, uint8_t *bytes,
                                                                           size_t length);

static enum nk_status read_source(void *context, uint64_t offset, uint8_t *bytes, size_t length,
                                  struct nk_error *why)
{
    (void)context;
    return read_table((double)offset, bytes, length) ? NK_OK
                                                     : nk_fail(why, NK_E_READ, 0, "cannot read the table");
}

/* The same for a table of any size, which is read in parts when they are needed. */
void WEB(web_open_source)(uint64_t size)
{
    const struct nk_table_source source = {.size = size, .read = read_source};
    struct nk_table *table;
    if (nk_web_good(nk_table_open_source(source, &table, &nk_web_error)))
        nk_web_use_table(table);
}

/* Checks the whole table and makes the other functions faster (nk_table_load). */
void WEB(web_load)(void)
{
    if (nk_web_has_values() && nk_web_good(nk_table_load(nk_web_table, &nk_web_error)))
        nk_web_answer_bool(true);
}

/* The board, its start and its counts, which are 0 before it has been solved. */
void WEB(web_about)(void)
{
    const struct nk_rules *rules = &nk_web_rules;
    static const struct nk_summary unknown;
    const struct nk_summary *summary = nk_web_table ? nk_table_summary(nk_web_table) : &unknown;
    struct nk_position start;
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_json_begin(&nk_web_answer, "board", '{');
    nk_json_integer(&nk_web_answer, "width", rules->board.width);
    nk_json_integer(&nk_web_answer, "height", rules->board.height);
    nk_json_integer(&nk_web_answer, "pieces", rules->board.pieces);
    nk_json_integer(&nk_web_answer, "row_length", rules->board.row_length);
    nk_json_string(&nk_web_answer, "win", nk_win_name(rules->board.win));
    nk_json_end(&nk_web_answer, '}');
    if (nk_rules_start(rules, &start))
        nk_web_add_position("start", start, NK_BLACK);
    else
        nk_json_null(&nk_web_answer, "start");
    nk_json_begin(&nk_web_answer, "summary", '{');
    nk_json_integer(&nk_web_answer, "placements", (int64_t)summary->placements);
    nk_json_integer(&nk_web_answer, "legal", (int64_t)summary->legal);
    nk_json_integer(&nk_web_answer, "wins", (int64_t)summary->wins);
    nk_json_integer(&nk_web_answer, "losses", (int64_t)summary->losses);
    nk_json_integer(&nk_web_answer, "draws", (int64_t)summary->draws);
    nk_json_integer(&nk_web_answer, "stalemates", (int64_t)summary->stalemates);
    nk_json_integer(&nk_web_answer, "longest", (int64_t)summary->longest);
    nk_json_end(&nk_web_answer, '}');
    nk_json_end(&nk_web_answer, '}');
}

/* The start position, or the one that is proposed for this board; null if there is none. */
void WEB(web_start)(void)
{
    struct nk_position start;
    if (!nk_web_has_values())
        return;
    const enum nk_status status = nk_suggested_start(nk_web_table, &start, &nk_web_error);
    if (status == NK_E_POSITION)
        nk_json_null(&nk_web_answer, NULL);
    else if (nk_web_good(status))
        nk_web_add_position(NULL, start, NK_BLACK);
}

/* All fair starts, in the order of their numbers. */
void WEB(web_fair_starts)(void)
{
    struct nk_position *starts;
    uint64_t count;
    if (!nk_web_has_values() || !nk_web_good(nk_fair_starts(nk_web_table, &starts, &count, &nk_web_error)))
        return;
    nk_json_begin(&nk_web_answer, NULL, '[');
    for (uint64_t n = 0; n < count; n++)
        nk_web_add_position(NULL, starts[n], NK_BLACK);
    nk_json_end(&nk_web_answer, ']');
    free(starts);
}

/* A position to begin with, without reading the table, or null. */
void WEB(web_start_first)(void)
{
    struct nk_position start;
    if (nk_rules_start(&nk_web_rules, &start) || nk_any_legal_start(nk_web_index, &start))
        nk_web_add_position(NULL, start, NK_BLACK);
    else
        nk_json_null(&nk_web_answer, NULL);
}

/* How many positions end after each number of plies: [ply 0, ply 1, ...], losses and wins in turn; and an example of
 * those that take longest, null if there is none. */
void WEB(web_count_by_plies)(void)
{
    if (!nk_web_has_values())
        return;
    const struct nk_index *index = nk_web_table->index;
    uint64_t counts[NK_MAX_PLIES + 1] = {0}, longest = index->entries;
    int plies = 0;
    for (uint64_t entry = 0; entry < index->entries; entry++) {
        const struct nk_position position = nk_index_position(index, entry);
        struct nk_value value;
        if (nk_rules_won(&index->rules, position.mover))
            continue;
        if (!nk_web_good(nk_table_value(nk_web_table, position, &value, &nk_web_error)))
            return;
        if (value.result == NK_DRAW)
            continue;
        counts[value.plies] += index->orbits[entry / index->per_orbit].size;
        if (longest == index->entries || value.plies > plies) {
            plies = value.plies;
            longest = entry;
        }
    }
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_json_begin(&nk_web_answer, "by_plies", '[');
    for (int n = 0; longest < index->entries && n <= plies; n++)
        nk_json_integer(&nk_web_answer, NULL, (int64_t)counts[n]);
    nk_json_end(&nk_web_answer, ']');
    if (longest < index->entries)
        nk_web_add_position("longest", nk_index_position(index, longest), NK_BLACK);
    else
        nk_json_null(&nk_web_answer, "longest");
    nk_json_end(&nk_web_answer, '}');
}

/* ---- positions ---- */

void WEB(web_check_position)(void)
{
    struct nk_position position;
    enum nk_colour to_move;
    if (!nk_web_read_position(&position, &to_move))
        return;
    nk_web_add_position(NULL, position, to_move);
}

/* The squares with which a side has won the position in the input: the fewest of its pieces that win without the
 * others. */
void WEB(web_winning)(bool white)
{
    const struct nk_rules *rules = &nk_web_rules;
    struct nk_position position;
    enum nk_colour to_move;
    if (!nk_web_good(nk_position_parse_unchecked(rules, nk_web_input, &position, &to_move, &nk_web_error)))
        return;
    const uint64_t all = nk_pieces_of(position, to_move, white ? NK_WHITE : NK_BLACK);
    const bool won = __builtin_popcountll(all) <= NK_MAX_PIECES && nk_rules_won(rules, all);
    uint64_t fewest = won ? all : 0;
    for (uint64_t some = fewest; some; some = (some - 1) & all)
        if (nk_rules_won(rules, some) && __builtin_popcountll(some) < __builtin_popcountll(fewest))
            fewest = some;
    nk_json_begin(&nk_web_answer, NULL, '[');
    for (uint64_t rest = fewest; rest; rest &= rest - 1)
        nk_json_string(&nk_web_answer, NULL, nk_square_text(rules, __builtin_ctzll(rest)).s);
    nk_json_end(&nk_web_answer, ']');
}

void WEB(web_value)(void)
{
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_value value;
    if (nk_web_has_values() && nk_web_read_position(&position, &to_move) &&
        nk_web_good(nk_table_value(nk_web_table, position, &value, &nk_web_error)))
        nk_json_value(&nk_web_answer, NULL, value);
}

void WEB(web_moves)(void)
{
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
    if (!nk_web_has_values() || !nk_web_read_position(&position, &to_move) ||
        !nk_web_good(nk_table_moves(nk_web_table, position, moves, &count, &nk_web_error)))
        return;
    nk_json_begin(&nk_web_answer, NULL, '[');
    for (int m = 0; m < count; m++) {
        nk_json_begin(&nk_web_answer, NULL, '{');
        nk_web_add_choice_members(position, to_move, moves[m].move, moves[m].value);
        nk_json_end(&nk_web_answer, '}');
    }
    nk_json_end(&nk_web_answer, ']');
}

/* ---- names, opponents, puzzles ---- */

/* As neutreeko names prints them. */
void WEB(web_names)(void)
{
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_json_names(&nk_web_answer);
    nk_json_end(&nk_web_answer, '}');
}

/* Strongest first. */
void WEB(web_opponents)(void)
{
    struct nk_text name, about;
    struct nk_opponent opponent;
    nk_json_begin(&nk_web_answer, NULL, '[');
    for (int n = 0; nk_opponent_ranked(n, &name, &about); n++) {
        (void)nk_opponent_parse(name.s, &opponent, NULL);
        nk_json_begin(&nk_web_answer, NULL, '{');
        nk_json_string(&nk_web_answer, "name", name.s);
        nk_json_string(&nk_web_answer, "about", about.s);
        nk_json_string(&nk_web_answer, "offered_as", nk_opponent_offered_as(opponent));
        nk_json_end(&nk_web_answer, '}');
    }
    nk_json_end(&nk_web_answer, ']');
}

/* Searches all entries for puzzles, the first time. Returns false after answering with an error. */
static bool survey(void)
{
    if (!nk_web_has_values())
        return false;
    if (kinds)
        return true;
    uint8_t *found = malloc((size_t)nk_web_table->index->entries);
    if (!nk_web_good(found ? nk_puzzle_survey(nk_web_table, found, &nk_web_error)
                           : nk_fail_memory(&nk_web_error))) {
        free(found);
        return false;
    }
    kinds = found;
    return true;
}

void WEB(web_puzzle_kinds)(void)
{
    uint64_t totals[UINT8_MAX + 1] = {0};
    if (!survey())
        return;
    for (uint64_t entry = 0; entry < nk_web_table->index->entries; entry++)
        totals[kinds[entry]]++;
    nk_json_begin(&nk_web_answer, NULL, '[');
    for (int plies = 1; plies <= NK_MAX_PLIES; plies += 2) {
        if (!totals[nk_puzzle_survey_code(plies)])
            continue;
        nk_json_begin(&nk_web_answer, NULL, '{');
        nk_json_integer(&nk_web_answer, "plies", plies);
        nk_json_integer(&nk_web_answer, "total", (int64_t)totals[nk_puzzle_survey_code(plies)]);
        nk_json_end(&nk_web_answer, '}');
    }
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_json_bool(&nk_web_answer, "draw", true);
    nk_json_integer(&nk_web_answer, "total", (int64_t)totals[nk_puzzle_survey_code(NK_PUZZLE_DRAW)]);
    nk_json_end(&nk_web_answer, '}');
    nk_json_end(&nk_web_answer, ']');
}

/* Faster after web_puzzle_kinds where there are few. */
void WEB(web_puzzles)(int plies, uint64_t random, uint32_t wanted)
{
    struct nk_puzzle_count count;
    if (!nk_web_has_values())
        return;
    if (wanted > nk_web_table->index->entries) /* more cannot be found, and may not fit into memory */
        wanted = (uint32_t)nk_web_table->index->entries;
    struct nk_puzzle *puzzles = calloc(wanted, sizeof *puzzles);
    if (nk_web_good(puzzles ? nk_puzzle_take(nk_web_table, kinds, plies, &random, puzzles, wanted, &count,
                                             &nk_web_error)
                            : nk_fail_memory(&nk_web_error))) {
        nk_json_begin(&nk_web_answer, NULL, '[');
        for (uint32_t i = 0; i < wanted && i < count.total; i++) {
            nk_json_begin(&nk_web_answer, NULL, '{');
            nk_web_add_position("position", puzzles[i].position, puzzles[i].to_move);
            nk_web_add_move("answer", puzzles[i].answer);
            nk_json_end(&nk_web_answer, '}');
        }
        nk_json_end(&nk_web_answer, ']');
    }
    free(puzzles);
}

/* A puzzle near some random entries, or null. */
void WEB(web_puzzle_sample)(int from, int to, uint64_t random)
{
    struct nk_puzzle puzzle;
    bool found;
    if (!nk_web_has_values() ||
        !nk_web_good(nk_puzzle_sample(nk_web_table, from, to, &random, &puzzle, &found, &nk_web_error)))
        return;
    if (found)
        nk_web_add_position(NULL, puzzle.position, puzzle.to_move);
    else
        nk_json_null(&nk_web_answer, NULL);
}
