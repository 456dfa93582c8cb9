/* The functions that the page calls through web/engine/engine.ts, which documents their answers.
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

static struct nk_table_loading loading; /* of the nk_web_table, between calls of web_finish */
static uint8_t *kinds;                  /* of the first `surveyed` entries, see nk_puzzle_survey */
static uint64_t surveyed;

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

/* Answers with the error, in place of what may have been written before it; `reason` may be NULL. Returns false. */
static bool fail_as(const char *code, const char *reason)
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

static bool fail(enum nk_status status, const char *reason)
{
    return fail_as(nk_status_name(status), reason);
}

bool nk_web_good(enum nk_status status)
{
    return !status || fail(status, NULL);
}

/* Returns false after answering with an error if there is no table. */
static bool has_values(void)
{
    if (nk_web_table)
        return true;
    (void)nk_fail(&nk_web_error, NK_E_UNSUPPORTED, 0, "the board has not been solved");
    return fail(NK_E_UNSUPPORTED, NULL);
}

static void answer_bool(bool value)
{
    nk_json_bool(&nk_web_answer, NULL, value);
}

/* ---- pieces of answers ---- */

/* These add a value to the answer: the member `key` of an object or, with NULL, an item of an array. */

static void add_position(const char *key, struct nk_position position, enum nk_colour to_move)
{
    nk_json_position(&nk_web_answer, key, &nk_web_rules, position, to_move);
}

static void add_move(const char *key, struct nk_move move)
{
    nk_json_move(&nk_web_answer, key, &nk_web_rules, move);
}

/* "move": "b1-c1", "from": "b1", "to": "c1" */
static void add_move_members(struct nk_move move)
{
    add_move("move", move);
    nk_json_string(&nk_web_answer, "from", nk_square_text(&nk_web_rules, move.from).s);
    nk_json_string(&nk_web_answer, "to", nk_square_text(&nk_web_rules, move.to).s);
}

/* The members of a move with what it leads to. */
static void add_choice_members(struct nk_position position, enum nk_colour to_move, struct nk_move move,
                               struct nk_value value)
{
    add_move_members(move);
    nk_json_value(&nk_web_answer, "value", value);
    add_position("next", nk_position_after(position, move), nk_colour_other(to_move));
}

/* Adds the moves of a game between two plies. */
static void add_played(const char *key, const struct nk_game *game, int from, int to)
{
    nk_json_begin(&nk_web_answer, key, '[');
    for (int ply = from; ply < to; ply++)
        add_move(NULL, nk_game_move_at(game, ply));
    nk_json_end(&nk_web_answer, ']');
}

/* Adds the best line of a game, to its end unless it is a draw or the table is too large to stay in memory. Frees the
 * game. */
static bool add_line(const char *key, struct nk_game *game)
{
    const int begin = nk_game_plies(game);
    struct nk_value value;
    uint64_t random = 0;
    enum nk_status status = nk_game_value(nk_web_table, game, &value, &nk_web_error);
    if (!status)
        status = nk_play_best_line(nk_web_table, game, nk_shown_plies(value, nk_table_is_large(nk_web_table)),
                                   &random, &nk_web_error);
    add_played(key, game, begin, nk_game_plies(game));
    nk_game_free(game);
    return nk_web_good(status);
}

/* Reads a legal position from the input. Returns false after answering with an error. */
static bool read_position(struct nk_position *position, enum nk_colour *to_move)
{
    const struct nk_rules *rules = &nk_web_rules;
    if (!nk_web_good(nk_position_parse_unchecked(rules, nk_web_input, position, to_move, &nk_web_error)))
        return false;
    if (!nk_position_check(rules, *position, *to_move, &nk_web_error))
        return true;
    const uint64_t black = nk_pieces_of(*position, *to_move, NK_BLACK);
    const uint64_t white = nk_pieces_of(*position, *to_move, NK_WHITE);
    return fail(NK_E_POSITION, __builtin_popcountll(black) != rules->board.pieces   ? "black-count"
                               : __builtin_popcountll(white) != rules->board.pieces ? "white-count"
                                                                                    : "won");
}

/* ---- the table ---- */

void nk_web_use_table(struct nk_table *table)
{
    nk_web_table = table;
    nk_web_rules = *nk_table_rules(table); /* of the same board: games that have begun go on */
    nk_json_integer(&nk_web_answer, NULL, (int64_t)nk_table_index(table)->entries);
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

/* Does so many steps of what checks the whole table and makes the other functions faster (nk_table_load_part). Answers
 * whether that was all; if not, the next call goes on. */
void WEB(web_finish)(uint32_t steps)
{
    bool done;
    if (!has_values())
        return;
    if (nk_web_good(nk_table_load_part(nk_web_table, &loading, steps, &done, &nk_web_error)))
        answer_bool(done);
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
        add_position("start", start, NK_BLACK);
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
    if (!has_values())
        return;
    const enum nk_status status = nk_suggested_start(nk_web_table, &start, &nk_web_error);
    if (status == NK_E_POSITION)
        nk_json_null(&nk_web_answer, NULL);
    else if (nk_web_good(status))
        add_position(NULL, start, NK_BLACK);
}

/* All fair starts, in the order of their numbers. */
void WEB(web_fair_starts)(void)
{
    struct nk_position *starts;
    uint64_t count;
    if (!has_values())
        return;
    if (!nk_web_good(nk_fair_starts(nk_web_table, &starts, &count, &nk_web_error)))
        return;
    nk_json_begin(&nk_web_answer, NULL, '[');
    for (uint64_t n = 0; n < count; n++)
        add_position(NULL, starts[n], NK_BLACK);
    nk_json_end(&nk_web_answer, ']');
    free(starts);
}

/* A position to begin with, without reading the nk_web_table, or null. */
void WEB(web_start_first)(void)
{
    struct nk_position start;
    if (nk_rules_start(&nk_web_rules, &start) ||
        nk_any_legal_start(nk_web_table ? nk_table_index(nk_web_table) : nk_web_index, &start))
        add_position(NULL, start, NK_BLACK);
    else
        nk_json_null(&nk_web_answer, NULL);
}

/* How many positions end after each number of plies: [ply 0, ply 1, ...], losses and wins in turn; and an example of
 * those that take longest, null if there is none. */
void WEB(web_count_by_plies)(void)
{
    if (!has_values())
        return;
    const struct nk_index *index = nk_table_index(nk_web_table);
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
        add_position("longest", nk_index_position(index, longest), NK_BLACK);
    else
        nk_json_null(&nk_web_answer, "longest");
    nk_json_end(&nk_web_answer, '}');
}

/* ---- positions ---- */

void WEB(web_check_position)(void)
{
    struct nk_position position;
    enum nk_colour to_move;
    if (!read_position(&position, &to_move))
        return;
    add_position(NULL, position, to_move);
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
    if (!has_values())
        return;
    if (read_position(&position, &to_move) &&
        nk_web_good(nk_table_value(nk_web_table, position, &value, &nk_web_error)))
        nk_json_value(&nk_web_answer, NULL, value);
}

void WEB(web_moves)(void)
{
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
    if (!has_values())
        return;
    if (!read_position(&position, &to_move) ||
        !nk_web_good(nk_table_moves(nk_web_table, position, moves, &count, &nk_web_error)))
        return;
    nk_json_begin(&nk_web_answer, NULL, '[');
    for (int m = 0; m < count; m++) {
        nk_json_begin(&nk_web_answer, NULL, '{');
        add_choice_members(position, to_move, moves[m].move, moves[m].value);
        nk_json_end(&nk_web_answer, '}');
    }
    nk_json_end(&nk_web_answer, ']');
}

/* ---- names and boards: these need no table ---- */

/* As neutreeko names prints them. */
void WEB(web_names)(void)
{
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_json_names(&nk_web_answer);
    nk_json_end(&nk_web_answer, '}');
}

/* Why there is no such board with the winning condition in the input, as nk_rules_fault; null if there is one. */
void WEB(web_board_fault)(int width, int height, int pieces, int row_length)
{
    const struct nk_board board = {width, height, pieces, row_length, nk_win_named(nk_web_input)};
    nk_json_string(&nk_web_answer, NULL, nk_rules_fault(&board, NULL));
}

/* ---- opponents and puzzles ---- */

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
    if (!has_values())
        return false;
    const uint64_t entries = nk_table_index(nk_web_table)->entries;
    if (!kinds && !(kinds = malloc((size_t)entries)))
        return nk_web_good(nk_fail_memory(&nk_web_error));
    if (!nk_web_good(nk_puzzle_survey(nk_web_table, surveyed, entries, kinds, &nk_web_error)))
        return false;
    surveyed = entries;
    return true;
}

void WEB(web_puzzle_kinds)(void)
{
    uint64_t totals[UINT8_MAX + 1] = {0};
    if (!survey())
        return;
    for (uint64_t entry = 0; entry < surveyed; entry++)
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

void WEB(web_puzzles)(int plies, uint64_t random, uint32_t wanted)
{
    struct nk_puzzle_count count;
    if (!survey())
        return;
    struct nk_puzzle *puzzles = calloc(wanted, sizeof *puzzles);
    if (nk_web_good(puzzles ? nk_puzzle_take(nk_web_table, kinds, plies, &random, puzzles, wanted, &count,
                                             &nk_web_error)
                            : nk_fail_memory(&nk_web_error))) {
        nk_json_begin(&nk_web_answer, NULL, '[');
        for (uint32_t i = 0; i < wanted && i < count.total; i++) {
            nk_json_begin(&nk_web_answer, NULL, '{');
            add_position("position", puzzles[i].position, puzzles[i].to_move);
            add_move("answer", puzzles[i].answer);
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
    if (!has_values())
        return;
    if (!nk_web_good(nk_puzzle_sample(nk_web_table, from, to, &random, &puzzle, &found, &nk_web_error)))
        return;
    if (found)
        add_position(NULL, puzzle.position, puzzle.to_move);
    else
        nk_json_null(&nk_web_answer, NULL);
}

/* ---- games ---- */

static void answer_game(const struct nk_game *game)
{
    nk_json_integer(&nk_web_answer, NULL, (int64_t)(uintptr_t)game);
}

void WEB(web_game_new)(void)
{
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_game *game;
    if (read_position(&position, &to_move) &&
        nk_web_good(nk_game_new(&nk_web_rules, position, to_move, &game, &nk_web_error)))
        answer_game(game);
}

/* A member for each header that is not empty, which is all that web/engine/engine.ts writes. */
static const struct {
    const char *key;
    size_t offset;
} header_texts[] = {
    {"event", offsetof(struct nk_headers, event)},
    {"date", offsetof(struct nk_headers, date)},
    {"round", offsetof(struct nk_headers, round)},
    {"black", offsetof(struct nk_headers, players[NK_BLACK])},
    {"white", offsetof(struct nk_headers, players[NK_WHITE])},
};
enum { HEADER_TEXTS = sizeof header_texts / sizeof header_texts[0] };

static void add_headers(const char *key, const struct nk_headers *headers)
{
    nk_json_begin(&nk_web_answer, key, '{');
    for (int n = 0; n < HEADER_TEXTS; n++) {
        const char *text = (const char *)headers + header_texts[n].offset;
        if (*text)
            nk_json_string(&nk_web_answer, header_texts[n].key, text);
    }
    nk_json_string(&nk_web_answer, "result", nk_outcome_text(headers->outcome));
    nk_json_end(&nk_web_answer, '}');
}

/* Reads the record in the input. Returns false after answering with an error. */
static bool read_record(struct nk_headers *headers, struct nk_game **game, struct nk_tree **tree)
{
    const struct nk_record_part part = {nk_web_input, strlen(nk_web_input), 1, 0, true};
    return nk_web_good(nk_record_read_part(&part, &nk_web_rules, headers, game, tree, &nk_web_error));
}

void WEB(web_game_read)(void)
{
    struct nk_headers headers;
    struct nk_game *game;
    if (!read_record(&headers, &game, NULL))
        return;
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_json_integer(&nk_web_answer, "game", (int64_t)(uintptr_t)game);
    add_headers("headers", &headers);
    nk_json_end(&nk_web_answer, '}');
}

void WEB(web_record_read)(void)
{
    struct nk_headers headers;
    struct nk_game *game;
    struct nk_tree *tree;
    if (!read_record(&headers, &game, &tree))
        return;
    nk_json_begin(&nk_web_answer, NULL, '{');
    add_headers("headers", &headers);
    add_position("start", nk_game_position_at(game, 0), nk_game_to_move_at(game, 0));
    nk_json_tree(&nk_web_answer, "tree", nk_game_rules(game), tree);
    nk_json_end(&nk_web_answer, '}');
    nk_game_free(game);
    nk_tree_free(tree);
}

/* Returns the next of several texts in the input. */
static const char *next_text(const char **texts)
{
    const char *text = *texts;
    *texts += strlen(text) + 1;
    return text;
}

static void read_headers(const char **texts, struct nk_headers *headers)
{
    for (int n = 0; n < HEADER_TEXTS; n++)
        nk_header_set((char *)headers + header_texts[n].offset, next_text(texts));
    const char *result = next_text(texts);
    for (int outcome = NK_OUTCOME_OPEN; outcome <= NK_OUTCOME_DRAW; outcome++)
        if (strcmp(result, nk_outcome_text((enum nk_outcome)outcome)) == 0)
            headers->outcome = (enum nk_outcome)outcome;
}

/* Adds the marks, words with spaces between them, and whether a side resigns. */
static enum nk_status read_marks(struct nk_tree *tree, int number, const char *marks, const char *resigned)
{
    enum nk_status status = *resigned ? nk_tree_resign(tree, number, &nk_web_error) : NK_OK;
    while (*marks && !status) {
        char mark[8] = "";
        const size_t length = strcspn(marks, " ");
        memcpy(mark, marks, length < sizeof mark ? length : sizeof mark - 1);
        if (length)
            status = nk_tree_mark(tree, number, mark, &nk_web_error);
        marks += length + (marks[length] == ' ');
    }
    return status;
}

/* Adds a node from five texts: the number of the parent (less than its own, as engine.ts has checked), the move, marks,
 * a comment, and whether a side resigns. */
static enum nk_status read_node(const char **texts, struct nk_tree *tree, int number)
{
    const int parent = (int)strtol(next_text(texts), NULL, 10);
    const char *text = next_text(texts);
    struct nk_move move;
    enum nk_status status = NK_OK;
    if (number && ((status = nk_move_parse(&nk_web_rules, text, &move, &nk_web_error)) ||
                   (status = nk_tree_add(tree, parent, move, &number, &nk_web_error)))) {
        const struct nk_error fault = nk_web_error;
        return status == NK_E_MEMORY ? status
                                     : nk_fail(&nk_web_error, status, 0, "%s move '%s': %s",
                                               status == NK_E_MOVE ? "illegal" : "invalid", text, fault.text);
    }
    text = next_text(texts);
    const char *comment = next_text(texts);
    if ((status = read_marks(tree, number, text, next_text(texts))))
        return status;
    return nk_tree_comment(tree, number, comment, &nk_web_error);
}

/* Answers with a record. The input: the start position, the headers and the result, and `count` nodes. */
void WEB(web_record_write)(int count)
{
    const char *texts = nk_web_input;
    struct nk_headers headers = {.outcome = NK_OUTCOME_OPEN};
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_tree *tree;
    if (!read_position(&position, &to_move) ||
        !nk_web_good(nk_tree_new(&nk_web_rules, position, to_move, &tree, &nk_web_error)))
        return;
    (void)next_text(&texts);
    read_headers(&texts, &headers);
    enum nk_status status = NK_OK;
    for (int number = 0; number < count && !status; number++)
        if ((status = read_node(&texts, tree, number))) {
            const struct nk_error fault = nk_web_error;
            (void)nk_fail(&nk_web_error, status, 0, "tree[%d]: %s", number, fault.text);
        }
    char *record = status ? NULL : nk_record_tree_text(tree, &headers);
    if (nk_web_good(status || record ? status : nk_fail_memory(&nk_web_error)))
        nk_json_string(&nk_web_answer, NULL, record);
    free(record);
    nk_tree_free(tree);
}

/* Another game with the same moves, played and undone. */
void WEB(web_game_clone)(const struct nk_game *game)
{
    struct nk_game *copy;
    const int plies = nk_game_plies(game);
    if (!nk_web_good(nk_game_prefix(game, nk_game_plies_with_undone(game), &copy, &nk_web_error)))
        return;
    while (nk_game_plies(copy) > plies)
        nk_game_undo(copy);
    /* It fails for a game that goes on or that the board has ended. */
    (void)nk_game_finish(copy, nk_game_end(game, NULL), nk_outcome_of(game, NK_OUTCOME_OPEN), NULL);
    answer_game(copy);
}

void WEB(web_game_free)(struct nk_game *game)
{
    nk_game_free(game);
    answer_bool(true);
}

static void add_end(const char *key, const struct nk_game *game)
{
    if (nk_game_end(game, NULL) == NK_END_NONE) {
        nk_json_null(&nk_web_answer, key);
        return;
    }
    nk_json_begin(&nk_web_answer, key, '{');
    nk_json_end_members(&nk_web_answer, game);
    nk_json_end(&nk_web_answer, '}');
}

static void add_legal(const char *key, const struct nk_game *game)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_game_end(game, NULL) == NK_END_NONE
                          ? nk_position_moves(nk_game_rules(game), nk_game_position(game), moves)
                          : 0;
    nk_json_begin(&nk_web_answer, key, '[');
    for (int m = 0; m < count; m++) {
        nk_json_begin(&nk_web_answer, NULL, '{');
        add_move_members(moves[m]);
        nk_json_end(&nk_web_answer, '}');
    }
    nk_json_end(&nk_web_answer, ']');
}

void WEB(web_game_state)(const struct nk_game *game)
{
    const struct nk_position position = nk_game_position(game);
    const enum nk_colour to_move = nk_game_to_move(game);
    const int plies = nk_game_plies(game);
    nk_json_begin(&nk_web_answer, NULL, '{');
    add_position("start", nk_game_position_at(game, 0), nk_game_to_move_at(game, 0));
    add_position("position", position, to_move);
    nk_json_string(&nk_web_answer, "to_move", nk_colour_key(to_move));
    nk_json_integer(&nk_web_answer, "plies", plies);
    add_played("moves", game, 0, plies);
    add_played("undone", game, plies, nk_game_plies_with_undone(game));
    add_end("end", game);
    nk_json_integer(&nk_web_answer, "repetitions", nk_game_occurrences_at(game, plies));
    add_legal("legal", game);
    nk_json_end(&nk_web_answer, '}');
}

/* Returns false after answering with an error if the game is over. */
static bool is_going_on(const struct nk_game *game)
{
    return !nk_game_check_open(game, &nk_web_error) || fail_as("over", NULL);
}

void WEB(web_game_play)(struct nk_game *game)
{
    struct nk_move move;
    const enum nk_colour side = nk_game_to_move(game);
    if (!is_going_on(game) ||
        !nk_web_good(nk_move_parse(nk_game_rules(game), nk_web_input, &move, &nk_web_error)) ||
        !nk_web_good(nk_game_play(game, move, &nk_web_error)))
        return;
    nk_json_begin(&nk_web_answer, NULL, '{');
    add_move_members(move);
    nk_json_string(&nk_web_answer, "side", nk_colour_key(side));
    add_position("position", nk_game_position(game), nk_game_to_move(game));
    add_end("end", game);
    nk_json_end(&nk_web_answer, '}');
}

void WEB(web_game_undo)(struct nk_game *game)
{
    answer_bool(nk_game_undo(game));
}

void WEB(web_game_redo)(struct nk_game *game)
{
    answer_bool(nk_game_redo(game));
}

void WEB(web_game_goto)(struct nk_game *game, int ply)
{
    const bool exists = ply >= 0 && ply <= nk_game_plies_with_undone(game);
    while (exists && nk_game_plies(game) > ply)
        nk_game_undo(game);
    while (exists && nk_game_plies(game) < ply && nk_game_redo(game))
        ;
    answer_bool(exists && nk_game_plies(game) == ply);
}

void WEB(web_game_resign)(struct nk_game *game)
{
    nk_game_resign(game);
    answer_bool(true);
}

void WEB(web_game_choices)(const struct nk_game *game)
{
    struct nk_choice choices[NK_MAX_MOVES];
    int count = 0;
    if (!has_values())
        return;
    if (nk_game_end(game, NULL) == NK_END_NONE &&
        !nk_web_good(nk_choices(nk_web_table, game, choices, &count, &nk_web_error)))
        return;
    nk_json_begin(&nk_web_answer, NULL, '[');
    for (int m = 0; m < count; m++) {
        nk_json_begin(&nk_web_answer, NULL, '{');
        add_choice_members(nk_game_position(game), nk_game_to_move(game), choices[m].move, choices[m].value);
        nk_json_integer(&nk_web_answer, "repeats", choices[m].repeats);
        if (choices[m].value.result == NK_DRAW)
            nk_json_integer(&nk_web_answer, "trap", choices[m].trap);
        else
            nk_json_null(&nk_web_answer, "trap");
        nk_json_end(&nk_web_answer, '}');
    }
    nk_json_end(&nk_web_answer, ']');
}

void WEB(web_game_opponent_move)(const struct nk_game *game, uint64_t random)
{
    struct nk_opponent opponent;
    struct nk_move move;
    if (!has_values())
        return;
    if (!is_going_on(game))
        return;
    if (nk_opponent_parse_program(nk_web_input, &opponent, &nk_web_error))
        fail_as(nk_opponent_parse(nk_web_input, &opponent, NULL) ? "syntax" : "human", NULL);
    else if (nk_web_good(nk_opponent_move(nk_web_table, game, nk_web_input, &random, &move, &nk_web_error)))
        add_move(NULL, move);
}

static void add_reviewed(const struct nk_game *game, int ply, const struct nk_reviewed *reviewed)
{
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_json_integer(&nk_web_answer, "ply", ply + 1);
    add_position("position", nk_game_position_at(game, ply), reviewed->side);
    nk_json_reviewed_members(&nk_web_answer, &nk_web_rules, reviewed);
    nk_json_end(&nk_web_answer, '}');
}

void WEB(web_game_review)(const struct nk_game *game)
{
    if (!has_values())
        return;
    const int plies = nk_game_plies(game);
    struct nk_reviewed *reviewed = calloc((size_t)plies + 1, sizeof *reviewed);
    if (nk_web_good(reviewed ? nk_review(nk_web_table, game, reviewed, &nk_web_error)
                             : nk_fail_memory(&nk_web_error))) {
        nk_json_begin(&nk_web_answer, NULL, '[');
        for (int ply = 0; ply < plies; ply++)
            add_reviewed(game, ply, &reviewed[ply]);
        nk_json_end(&nk_web_answer, ']');
    }
    free(reviewed);
}

/* Adds the win that a side to move has in some plies, or null for 0 plies. */
static bool add_threat(const char *key, struct nk_position position, enum nk_colour to_move, int plies)
{
    struct nk_game *game;
    if (!plies) {
        nk_json_null(&nk_web_answer, key);
        return true;
    }
    nk_json_begin(&nk_web_answer, key, '{');
    nk_json_integer(&nk_web_answer, "plies", plies);
    if (!nk_web_good(nk_game_new(&nk_web_rules, position, to_move, &game, &nk_web_error)) ||
        !add_line("line", game))
        return false;
    nk_json_end(&nk_web_answer, '}');
    return true;
}

static void answer_why(const struct nk_game *game, int ply, struct nk_move move, struct nk_game *after_move,
                       const struct nk_explanation *why)
{
    const struct nk_position position = nk_game_position_at(game, ply);
    const struct nk_position after = nk_position_after(position, move);
    const enum nk_colour to_move = nk_game_to_move_at(game, ply), opponent = nk_colour_other(to_move);
    const bool gives = why->value.result < why->before.result;
    nk_json_begin(&nk_web_answer, NULL, '{');
    add_choice_members(position, to_move, move, why->value);
    nk_json_value(&nk_web_answer, "before", why->before);
    nk_json_string(&nk_web_answer, "gives", gives ? nk_result_name(why->before.result) : NULL);
    add_move("best", why->best);
    nk_json_bool(&nk_web_answer, "only", why->only);
    nk_json_bool(&nk_web_answer, "repeats", why->repeats);
    if (!add_line("line", after_move) ||
        !add_threat("threat", nk_position_after_pass(after), to_move, why->threat) ||
        !add_threat("prevented", nk_position_after_pass(position), opponent, why->prevented))
        return;
    nk_json_begin(&nk_web_answer, "replies", '{');
    nk_json_integer(&nk_web_answer, "total", why->replies);
    nk_json_integer(&nk_web_answer, "losing", why->losing);
    nk_json_integer(&nk_web_answer, "holding", why->holding);
    nk_json_integer(&nk_web_answer, "winning", why->winning);
    nk_json_end(&nk_web_answer, '}');
    if (why->has_only_reply)
        add_move("only_reply", why->only_reply);
    else
        nk_json_null(&nk_web_answer, "only_reply");
    nk_json_end(&nk_web_answer, '}');
}

void WEB(web_game_why)(const struct nk_game *game, int ply)
{
    struct nk_move move;
    struct nk_explanation why;
    struct nk_game *copy = NULL;
    if (!has_values())
        return;
    if (ply < 0 || ply > nk_game_plies_with_undone(game)) {
        (void)nk_fail(&nk_web_error, NK_E_MOVE, 0, "the game has no ply %d", ply);
        fail_as("argument", NULL);
        return;
    }
    if (nk_web_good(nk_move_parse(nk_game_rules(game), nk_web_input, &move, &nk_web_error)) &&
        nk_web_good(nk_game_prefix(game, ply, &copy, &nk_web_error)) &&
        nk_web_good(nk_game_play(copy, move, &nk_web_error)) &&
        nk_web_good(nk_explain(nk_web_table, game, ply, move, &why, &nk_web_error)))
        answer_why(game, ply, move, copy, &why);
    else
        nk_game_free(copy);
}

void WEB(web_game_best_line)(const struct nk_game *game)
{
    struct nk_game *copy;
    if (!has_values())
        return;
    if (nk_web_good(nk_game_prefix(game, nk_game_plies(game), &copy, &nk_web_error)))
        add_line(NULL, copy);
}

/* The input: the headers and the result. */
void WEB(web_game_record)(const struct nk_game *game)
{
    const char *texts = nk_web_input;
    struct nk_headers headers = {.outcome = NK_OUTCOME_OPEN};
    read_headers(&texts, &headers);
    char *record = nk_record_text(game, &headers);
    if (nk_web_good(record ? NK_OK : nk_fail_memory(&nk_web_error)))
        nk_json_string(&nk_web_answer, NULL, record);
    free(record);
}
