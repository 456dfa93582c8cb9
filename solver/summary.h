/* The summary that neutreeko-solve prints. */
#ifndef NK_SOLVE_SUMMARY_H
#define NK_SOLVE_SUMMARY_H

#include "common/game/position.h"
#include "common/program/report.h"
#include "common/system/file.h"

struct nk_solve_summary {
    struct nk_board board;
    struct nk_text start; /* the standard start position of the board; empty when there is none */
    struct nk_summary counts;
    uint64_t by_plies[NK_MAX_PLIES + 1]; /* positions with this distance in plies */
    struct nk_text example;              /* decided in counts.longest plies; empty when there is none */
    double solve_seconds;                /* negative when nothing was solved */
    double total_seconds;
    int processes;    /* that solved it together */
    uint64_t sent;    /* bytes that they sent each other */
    const char *path; /* of the table */
    struct nk_file_digest file;
    uint64_t codes_checksum; /* nk_table_codes_checksum */
    bool verified;
};

/* Begins the summary of a table with this path, which must outlive it; all else is 0. */
void nk_summary_begin(struct nk_solve_summary *summary, const struct nk_rules *rules, const char *path);

/* Print the summary to standard output, as text or as JSON. `verbose`: with the positions by distance. */
void nk_print_summary(const struct nk_solve_summary *summary, bool verbose);
void nk_print_summary_json(const struct nk_solve_summary *summary);

/* Bytes in MiB, rounded up, as nk_group_digits prints them. */
struct nk_text nk_group_mib(uint64_t bytes);

/* Bytes in MiB, rounded down, as nk_group_digits prints them: what is available, in contrast to what is needed. */
struct nk_text nk_group_whole_mib(uint64_t bytes);

#endif
