/* Counts the positions of the game that are won and lost in each number of plies, with several threads that share one
 * table.
 *
 *     cc -pthread statistics.c $(pkg-config --cflags --libs neutreeko) -o statistics
 *     ./statistics */

#include <inttypes.h>
#include <neutreeko.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, PLIES = NK_MAX_PLIES + 1 };

struct share {
    struct nk_table *table;
    uint32_t begin, end;            /* numbers of configurations, end exclusive */
    uint64_t draws, decided[PLIES]; /* by the distance: odd for wins, even for losses */
    enum nk_status status;
    struct nk_error error;
};

static void *count_share(void *context)
{
    struct share *share = (struct share *)context;
    const uint64_t room = nk_table_summary(share->table)->placements / nk_table_configurations(share->table);
    struct nk_listed_position *listed = (struct nk_listed_position *)malloc((size_t)room * sizeof *listed);
    if (!listed) {
        share->status = NK_E_MEMORY;
        snprintf(share->error.text, sizeof share->error.text, "not enough memory");
        return NULL;
    }
    for (uint32_t number = share->begin; !share->status && number < share->end; number++) {
        uint32_t count = 0;
        share->status =
            nk_table_positions(share->table, number, NK_LIST_UNIQUE, listed, &count, &share->error);
        for (uint32_t n = 0; n < count; n++) {
            if (listed[n].result == NK_DRAW)
                share->draws += listed[n].symmetric;
            else
                share->decided[listed[n].plies] += listed[n].symmetric;
        }
    }
    free(listed);
    return NULL;
}

int main(void)
{
    static struct share shares[THREADS];
    struct nk_table *table;
    struct nk_error error;
    pthread_t threads[THREADS];
    uint64_t draws = 0;

    if (nk_table_solve(NULL, 0, 0, NULL, NULL, &table, &error)) {
        fprintf(stderr, "statistics: %s\n", error.text);
        return 1;
    }
    const uint32_t configurations = nk_table_configurations(table);
    for (unsigned t = 0; t < THREADS; t++) {
        shares[t].table = table;
        shares[t].begin = configurations * t / THREADS;
        shares[t].end = configurations * (t + 1) / THREADS;
        if (pthread_create(&threads[t], NULL, count_share, &shares[t])) {
            fprintf(stderr, "statistics: cannot create a thread\n");
            return 1;
        }
    }
    for (unsigned t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        draws += shares[t].draws;
        if (shares[t].status) {
            fprintf(stderr, "statistics: %s\n", shares[t].error.text);
            return 1;
        }
    }
    printf("positions %" PRIu64 "\ndraws %" PRIu64 "\n", nk_table_summary(table)->legal, draws);
    for (int plies = 0; plies < PLIES; plies++) {
        uint64_t positions = 0;
        for (unsigned t = 0; t < THREADS; t++)
            positions += shares[t].decided[plies];
        if (positions)
            printf("%s in %d: %" PRIu64 "\n", plies % 2 ? "wins" : "losses", plies, positions);
    }
    nk_table_close(table);
}
