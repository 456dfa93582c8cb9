/* The solution against published totals, and every position against the slow reference. */

#include "common/format.h"
#include "tests/reference.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

/* ---- the standard game, as published ---- */

Test(solve, published_totals)
{
    struct solved s = solve_board(STANDARD);
    const struct nk_summary *summary = &s.solution->summary;
    cr_assert_eq(summary->placements, 3542000);
    cr_assert_eq(summary->legal, 3468080);
    cr_assert_eq(summary->wins, 2473028);
    cr_assert_eq(summary->losses, 890392);
    cr_assert_eq(summary->draws, 104660);
    cr_assert_eq(summary->stuck, 0);
    cr_assert_eq(summary->longest, 51);
    cr_assert_eq(s.solution->by_distance[0], 72436);
    cr_assert_eq(s.solution->by_distance[51], 8);
    solved_free(&s);
}

Test(solve, start_is_a_draw_that_two_moves_hold, .init = enter_directory, .fini = leave_directory)
{
    struct solved s = solve_board(STANDARD);
    struct nk_position start;
    struct nk_table *table;
    struct nk_value value;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
    write_table(&s, "table.dat");
    cr_assert(!nk_table_open("table.dat", &table, NULL));
    cr_assert(nk_rules_start(&s.rules, &start));
    cr_assert(!nk_table_value(table, start, &value, NULL));
    cr_assert(value.result == NK_DRAW && value.plies == 0);
    cr_assert(!nk_table_moves(table, start, moves, &count, NULL));
    cr_assert_eq(count, 14);
    for (int m = 0; m < count; m++) {
        char text[NK_MOVE_TEXT];
        nk_move_print(&s.rules, moves[m].move, text);
        if (m < 2)
            cr_assert_str_eq(text, m ? "d1-c1" : "b1-c1");
        cr_assert_eq(moves[m].value.result, m < 2 ? NK_DRAW : NK_LOSS, "%s", text);
    }
    nk_table_close(table);
    solved_free(&s);
}

/* The finished file, byte for byte: data/perfect_move.sum has its checksum and its name. The checksum of the
 * codes in it is the signature of the solution, whatever compresses them. */
Test(solve, file_is_the_one_on_record, .init = enter_directory, .fini = leave_directory)
{
    struct solved s = solve_board(STANDARD);
    const struct nk_file file = write_table(&s, "perfect_move.dat");
    struct bytes table = read_bytes("perfect_move.dat");
    struct bytes record = read_bytes(SOURCE_ROOT "/data/perfect_move.sum");
    char line[40];
    cr_assert_eq(nk_get64(table.data + NK_AT_CODES), XXH3_64bits(s.codes, s.index->entries));
    cr_assert_eq(nk_get64(table.data + NK_AT_CODES), UINT64_C(0x441299f29a5aa0f0));
    if (strstr(zlibVersion(), "zlib-ng"))
        cr_skip("zlib-ng packs the same codes into other bytes");
    snprintf(line, sizeof line, "%016" PRIx64 "  perfect_move.dat\n", file.checksum);
    cr_assert_str_eq(line, (char *)record.data);
    free(record.data);
    free(table.data);
    solved_free(&s);
}

/* ---- every kind of vectors ---- */

Test(solve, vectors_of_every_width_agree, .init = enter_directory, .fini = leave_directory)
{
    static const struct board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE}, {4, 3, 3, 3, NK_WIN_LINE}, {3, 3, 4, 3, NK_WIN_LINE},
        {8, 8, 2, 2, NK_WIN_LINE}, {4, 4, 5, 4, NK_WIN_LINE}, {6, 5, 3, 3, NK_WIN_ORTHOGONAL},
    };
    for (size_t i = 0; i < COUNT(boards); i++) {
        struct solved widest = solve_board(boards[i]);
        const struct nk_file file = write_table(&widest, "widest.dat");
        for (int bytes = 16; bytes <= 64; bytes *= 2) {
            struct solved other = widest;
            const struct nk_solve_options options = {.vector_bytes = bytes};
            const enum nk_status status = nk_solve(widest.index, &options, &other.solution, NULL);
            cr_assert(!status || (bytes > 16 && status == NK_E_RULES), "%d bytes", bytes);
            if (status)
                continue;
            cr_assert(!nk_solution_codes(other.solution, &other.codes, NULL));
            cr_assert_arr_eq(other.codes, widest.codes, widest.index->entries);
            cr_assert_arr_eq(other.solution->by_distance, widest.solution->by_distance,
                             sizeof widest.solution->by_distance);
            cr_assert_eq(write_table(&other, "other.dat").checksum, file.checksum, "%s: %d bytes",
                         board_text(boards[i]).s, bytes);
            nk_solution_free(other.solution);
            free(other.codes);
        }
        solved_free(&widest);
    }
}

/* ---- threads and memory ---- */

Test(solve, threads_of_every_number_agree)
{
    static const struct board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE}, {8, 8, 2, 2, NK_WIN_LINE}, {4, 4, 4, 4, NK_WIN_LINE},
        {3, 3, 4, 3, NK_WIN_LINE}, {7, 5, 3, 3, NK_WIN_LINE},
    };
    for (size_t i = 0; i < COUNT(boards); i++) {
        struct solved s = solve_board(boards[i]);
        for (int threads = 1; threads <= 9; threads += 2) {
            const struct nk_solve_options options = {.threads = threads};
            struct nk_solution *other;
            uint8_t *codes;
            cr_assert(!nk_solve(s.index, &options, &other, NULL));
            cr_assert(!nk_solution_codes(other, &codes, NULL));
            cr_assert_arr_eq(codes, s.codes, s.index->entries, "%s: %d threads", board_text(boards[i]).s,
                             threads);
            cr_assert_arr_eq(other->by_distance, s.solution->by_distance, sizeof other->by_distance);
            nk_solution_free(other);
            free(codes);
        }
        solved_free(&s);
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/* KiB of memory that solving a board takes at most, in a process of its own. */
static uint64_t solve_apart(const struct nk_index *index, int threads)
{
    struct rusage before, after;
    int status;
    const pid_t child = fork();
    if (child == 0) {
        const struct nk_solve_options options = {.threads = threads};
        struct nk_solution *solution;
        uint64_t taken = 0;
        const bool solved = !getrusage(RUSAGE_SELF, &before) && !nk_solve(index, &options, &solution, NULL) &&
                            !getrusage(RUSAGE_SELF, &after);
        if (solved)
            taken = (uint64_t)(after.ru_maxrss - before.ru_maxrss);
        write_bytes("taken", &taken, sizeof taken);
        _exit(!solved);
    }
    cr_assert(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    struct bytes bytes = read_bytes("taken");
    uint64_t taken;
    memcpy(&taken, bytes.data, sizeof taken);
    free(bytes.data);
    return taken;
}

/* No more than announced, but for what the system takes for threads and large pages; and not a multiple less.
 */
Test(solve, takes_the_memory_that_it_announces, .init = enter_directory, .fini = leave_directory)
{
    static const struct board boards[] = {{6, 6, 3, 3, NK_WIN_LINE}, {7, 5, 3, 3, NK_WIN_LINE}};
    enum { MORE = 4096 };
    for (size_t i = 0; i < COUNT(boards); i++)
        for (int threads = 1; threads <= 4; threads *= 4) {
            const struct nk_rules rules = rules_of(boards[i]);
            struct nk_index *index;
            cr_assert(!nk_index_make(&rules, &index));
            const uint64_t announced = nk_solve_memory(index, threads, 1) / 1024;
            const uint64_t taken = solve_apart(index, threads);
            cr_assert(taken < announced + MORE && announced < 2 * taken, "%s: %llu KiB announced, %llu taken",
                      board_text(boards[i]).s, (unsigned long long)announced, (unsigned long long)taken);
            nk_index_free(index);
        }
}

#endif

Test(solve, refuses_vectors_that_no_machine_has)
{
    struct solved s = solve_board((struct board){3, 3, 2, 2, NK_WIN_LINE});
    for (int bytes = -64; bytes <= 256; bytes++) {
        const struct nk_solve_options options = {.vector_bytes = bytes};
        struct nk_solution *none = NULL;
        if (bytes != 0 && bytes != 16 && bytes != 32 && bytes != 64)
            cr_assert(nk_solve(s.index, &options, &none, NULL) == NK_E_RULES && !none);
    }
    solved_free(&s);
}

/* ---- progress ---- */

struct progress {
    int plies;
    uint64_t decided[NK_MAX_PLIES + 1];
};

static void note_progress(void *context, int ply, uint64_t decided)
{
    struct progress *progress = context;
    cr_assert_eq(ply, progress->plies);
    progress->decided[progress->plies++] = decided;
}

Test(solve, reports_each_ply)
{
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_index *index;
    struct nk_solution *solution;
    struct progress progress = {0};
    const struct nk_solve_options options = {.progress = note_progress, .context = &progress};
    cr_assert(!nk_index_make(&rules, &index) && !nk_solve(index, &options, &solution, NULL));
    cr_assert_eq(progress.plies, 52);
    cr_assert_arr_eq(progress.decided, solution->by_distance, sizeof progress.decided);
    nk_solution_free(solution);
    nk_index_free(index);
}

/* ---- every position of every kind of board ---- */

static struct text checked; /* the board that check_board is at, for the messages */

static void check_counts(const struct nk_solution *solution, const struct ref_solution *reference)
{
    const struct nk_summary *summary = &solution->summary;
    cr_assert_eq(summary->placements, reference->placements, "%s", checked.s);
    cr_assert_eq(summary->legal, reference->legal, "%s", checked.s);
    cr_assert_eq(summary->wins, reference->wins, "%s", checked.s);
    cr_assert_eq(summary->losses, reference->losses, "%s", checked.s);
    cr_assert_eq(summary->draws, reference->draws, "%s", checked.s);
    cr_assert_eq(summary->stuck, reference->draws_without_move, "%s", checked.s);
    cr_assert_eq((int)summary->longest, reference->longest, "%s", checked.s);
    for (int plies = 0; plies <= NK_MAX_PLIES; plies++)
        cr_assert_eq(solution->by_distance[plies],
                     plies > reference->longest ? 0 : reference->wins_in[plies] + reference->losses_in[plies],
                     "%s: %d plies", checked.s, plies);
}

static struct nk_value reference_value(const struct ref_solution *reference, struct nk_position position)
{
    const struct ref_value value = ref_value_of(reference, position.mover, position.other);
    return (struct nk_value){value.result == REF_WIN    ? NK_WIN
                             : value.result == REF_LOSS ? NK_LOSS
                                                        : NK_DRAW,
                             value.plies};
}

static void check_values(struct nk_table *table, const struct ref_solution *reference)
{
    const struct nk_rules *rules = nk_table_rules(table);
    uint64_t legal = 0;
    for (struct nk_position p = {0}; next_placement(rules, &p);) {
        struct nk_value value;
        struct nk_error error;
        const bool illegal = ref_value_of(reference, p.mover, p.other).result == REF_ILLEGAL;
        cr_assert_eq(illegal, nk_position_check(rules, p, NK_BLACK, NULL) != NK_OK);
        if (illegal)
            continue;
        const struct nk_value expected = reference_value(reference, p);
        cr_assert(!nk_table_value(table, p, &value, &error), "%s: %s", position_text(rules, p).s, error.text);
        cr_assert(value.result == expected.result && value.plies == expected.plies,
                  "%s: %s: %d in %d, not %d in %d", checked.s, position_text(rules, p).s, value.result,
                  value.plies, expected.result, expected.plies);
        legal++;
    }
    cr_assert_eq(legal, reference->legal);
}

/* How good a value is to the one who chooses. */
static int merit(struct nk_value value)
{
    return value.result == NK_WIN ? 1000 - value.plies : value.result == NK_LOSS ? value.plies - 1000 : 0;
}

/* The moves of one position of each kind: worth what the reference says, best first. */
static void check_moves(struct nk_table *table, const struct ref_solution *reference)
{
    const struct nk_rules *rules = nk_table_rules(table);
    const struct nk_index *index = nk_table_index(table);
    for (uint64_t entry = 0; entry < index->entries; entry++) {
        const struct nk_position p = nk_index_position(index, entry);
        struct nk_move_value moves[NK_MAX_MOVES];
        struct nk_move legal[NK_MAX_MOVES];
        int count;
        if (nk_rules_won(rules, p.mover))
            continue;
        cr_assert(!nk_table_moves(table, p, moves, &count, NULL));
        cr_assert_eq(count, nk_position_moves(rules, p, legal));
        int places[NK_MAX_MOVES]; /* among the legal moves */
        uint64_t seen = 0;
        for (int m = 0; m < count; m++) {
            const struct nk_value reply = reference_value(reference, nk_position_after(p, moves[m].move));
            const int plies = reply.result == NK_DRAW ? 0 : reply.plies + 1;
            cr_assert(moves[m].value.result == -reply.result && moves[m].value.plies == plies, "%s: %s",
                      checked.s, position_text(rules, p).s);
            for (places[m] = 0; memcmp(&legal[places[m]], &moves[m].move, sizeof *legal);)
                cr_assert_lt(++places[m], count);
            seen |= nk_bit(places[m]);
            if (m)
                cr_assert(
                    merit(moves[m - 1].value) > merit(moves[m].value) ||
                        (merit(moves[m - 1].value) == merit(moves[m].value) && places[m - 1] < places[m]),
                    "%s: not in order", position_text(rules, p).s);
        }
        cr_assert_eq(seen, nk_bit(count) - 1);
        if (count)
            cr_assert_eq(merit(moves[0].value), merit(reference_value(reference, p)), "%s",
                         position_text(rules, p).s);
    }
}

static void check_board(struct board board)
{
    /* The numbers of the enums agree. */
    const struct ref_board same = {board.width, board.height, board.pieces, board.row,
                                   (enum ref_win)board.win};
    struct ref_solution *reference = ref_solve(same);
    struct solved s = solve_board(board);
    struct nk_table *table;
    struct nk_error error;
    checked = board_text(board);
    cr_assert(reference);
    write_table(&s, "table.dat");
    cr_assert(!nk_table_open("table.dat", &table, &error), "%s", error.text);
    check_counts(s.solution, reference);
    check_values(table, reference);
    check_moves(table, reference);
    nk_table_close(table);
    solved_free(&s);
    ref_free(reference);
}

#define REFERENCE_TEST(name, ...)                                                                   \
    Test(solve, reference_##name, .init = enter_directory, .fini = leave_directory, .timeout = 900) \
    {                                                                                               \
        check_board((struct board){__VA_ARGS__});                                                   \
    }

REFERENCE_TEST(5x5, 5, 5, 3, 3, NK_WIN_LINE)
REFERENCE_TEST(5x5_orthogonal, 5, 5, 3, 3, NK_WIN_ORTHOGONAL)
REFERENCE_TEST(5x5_diagonal, 5, 5, 3, 3, NK_WIN_DIAGONAL)
REFERENCE_TEST(5x5_equidistant, 5, 5, 3, 3, NK_WIN_EQUIDISTANT)
REFERENCE_TEST(5x5_centre, 5, 5, 3, 3, NK_WIN_CENTRE)
REFERENCE_TEST(8x8_2_pieces, 8, 8, 2, 2, NK_WIN_LINE)
REFERENCE_TEST(7x5_centre, 7, 5, 2, 2, NK_WIN_CENTRE)
REFERENCE_TEST(7x3, 7, 3, 3, 3, NK_WIN_LINE)
REFERENCE_TEST(5x4, 5, 4, 3, 3, NK_WIN_LINE)
REFERENCE_TEST(4x5_row_2, 4, 5, 3, 2, NK_WIN_LINE)
REFERENCE_TEST(4x4_4_pieces, 4, 4, 4, 3, NK_WIN_LINE)
REFERENCE_TEST(4x4_4_pieces_row_4, 4, 4, 4, 4, NK_WIN_LINE)

static uint64_t count_placements(int squares, int pieces)
{
    uint64_t count = 1;
    for (int side = 0; side < 2; side++, squares -= pieces)
        for (int i = 0; i < pieces; i++)
            count = count * (uint64_t)(squares - i) / (uint64_t)(i + 1);
    return count;
}

/* Every game with so many pieces on every board, upright and lying, of at most so many placements. */
static void check_small_boards(int pieces, uint64_t placements)
{
    int games = 0;
    for (int width = NK_MIN_SIDE; width <= NK_MAX_SIDE; width++)
        for (int height = NK_MIN_SIDE; height <= NK_MAX_SIDE; height++)
            for (int row = 2; row <= pieces; row++)
                for (int win = 0; win < NK_WIN_RULES; win++) {
                    const struct board board = {width, height, pieces, row, (enum nk_win)win};
                    struct nk_rules rules;
                    if (nk_rules_make(&rules, width, height, pieces, row, board.win, NULL) ||
                        count_placements(rules.squares, pieces) > placements)
                        continue;
                    check_board(board);
                    games++;
                }
    cr_assert(games > 10);
}

#define SMALL_BOARDS_TEST(pieces, placements)                                           \
    Test(solve, reference_every_small_board_##pieces##_pieces, .init = enter_directory, \
         .fini = leave_directory, .timeout = 900)                                       \
    {                                                                                   \
        check_small_boards(pieces, placements);                                         \
    }

SMALL_BOARDS_TEST(2, 100000)
SMALL_BOARDS_TEST(3, 200000)
SMALL_BOARDS_TEST(4, 100000)
SMALL_BOARDS_TEST(5, 100000)
