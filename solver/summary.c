#include "solver/summary.h"

#include "common/base/distance.h"
#include "common/program/json_stdout.h"
#include "common/program/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct nk_text nk_group_mib(uint64_t bytes)
{
    return nk_group_digits((bytes + (1 << 20) - 1) >> 20);
}

struct nk_text nk_group_whole_mib(uint64_t bytes)
{
    return nk_group_digits(bytes >> 20);
}

void nk_summary_begin(struct nk_solve_summary *summary, const struct nk_rules *rules, const char *path)
{
    struct nk_position start;
    memset(summary, 0, sizeof *summary); /* in its place: it is large for a stack that may be small */
    summary->board = rules->board;
    if (nk_rules_start(rules, &start))
        summary->start = nk_position_text(rules, start, NK_BLACK);
    summary->path = path;
}

/* Prints the number of positions for each distance. */
static void print_plies(const struct nk_solve_summary *summary)
{
    printf("\nplies        positions\n");
    for (uint32_t d = 0; d <= summary->counts.longest; d++)
        printf("%5" PRIu32 " %-5s %11s\n", d, d % 2 ? "win" : "loss",
               nk_group_digits(summary->by_plies[d]).s);
    putchar('\n');
}

static void print_counts(const struct nk_solve_summary *summary, bool verbose)
{
    const struct nk_summary *s = &summary->counts;
    const uint64_t longest = summary->by_plies[s->longest];
    if (verbose)
        printf("placements   %s\n", nk_group_digits(s->placements).s);
    printf("legal        %s\n", nk_group_digits(s->legal).s);
    printf("wins         %s\n", nk_group_digits(s->wins).s);
    printf("losses       %s\n", nk_group_digits(s->losses).s);
    printf("draws        %s\n", nk_group_digits(s->draws).s);
    if (s->stalemates)
        printf("  no move    %s\n", nk_group_digits(s->stalemates).s);
    printf("longest %-4s %s, %s position%s\n", s->longest % 2 ? "win" : "loss",
           nk_distance_text((int)s->longest).s, nk_group_digits(longest).s, longest == 1 ? "" : "s");
    if (*summary->example.s)
        printf("  such as    %s\n", summary->example.s);
    if (verbose)
        print_plies(summary);
}

void nk_print_summary(const struct nk_solve_summary *summary, bool verbose)
{
    printf("board        %s\n", nk_board_name(&summary->board).s);
    print_counts(summary, verbose);
    if (summary->solve_seconds >= 0)
        printf("solved in    %.3f s\n", summary->solve_seconds);
    if (verbose || summary->solve_seconds < 0)
        printf("in all       %.3f s\n", summary->total_seconds);
    if (summary->processes > 1)
        printf("processes    %d, which sent each other %s bytes\n", summary->processes,
               nk_group_digits(summary->sent).s);
    if (verbose)
        printf("codes        xxh3 %016" PRIx64 "\n", summary->codes_checksum);
    printf("file         %s bytes, xxh3 %016" PRIx64 "\n", nk_group_digits(summary->file.bytes).s,
           summary->file.checksum);
    fputs("             ", stdout);
    nk_print_escaped(stdout, summary->path);
    putchar('\n');
    if (summary->verified)
        printf("verified     all positions are correct\n");
}

void nk_print_summary_json(const struct nk_solve_summary *summary)
{
    const struct nk_summary *s = &summary->counts;
    char codes[17], checksum[17];
    snprintf(codes, sizeof codes, "%016" PRIx64, summary->codes_checksum);
    snprintf(checksum, sizeof checksum, "%016" PRIx64, summary->file.checksum);
    struct nk_json *json = nk_json_begin_line();
    nk_json_board(json, &summary->board);
    nk_json_string(json, "start", *summary->start.s ? summary->start.s : NULL);
    nk_json_integer(json, "placements", (int64_t)s->placements);
    nk_json_integer(json, "legal", (int64_t)s->legal);
    nk_json_integer(json, "wins", (int64_t)s->wins);
    nk_json_integer(json, "losses", (int64_t)s->losses);
    nk_json_integer(json, "draws", (int64_t)s->draws);
    nk_json_integer(json, "stalemates", (int64_t)s->stalemates);
    nk_json_integer(json, "longest", s->longest);
    nk_json_string(json, "longest_example", *summary->example.s ? summary->example.s : NULL);
    nk_json_begin(json, "by_plies", '[');
    for (uint32_t d = 0; d <= s->longest; d++)
        nk_json_integer(json, NULL, (int64_t)summary->by_plies[d]);
    nk_json_end(json, ']');
    if (summary->solve_seconds < 0)
        nk_json_null(json, "solve_seconds");
    else
        nk_json_real(json, "solve_seconds", summary->solve_seconds);
    nk_json_real(json, "total_seconds", summary->total_seconds);
    if (summary->processes > 1) {
        nk_json_integer(json, "processes", summary->processes);
        nk_json_integer(json, "bytes_sent", (int64_t)summary->sent);
    }
    nk_json_string(json, "codes_xxh3", codes);
    nk_json_integer(json, "bytes", (int64_t)summary->file.bytes);
    nk_json_string(json, "xxh3", checksum);
    nk_json_string(json, "table", summary->path);
    nk_json_bool(json, "verified", summary->verified);
    nk_json_end_line(json);
}
