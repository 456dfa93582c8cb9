/* Counts the positions of the game that are won and lost in each number of plies, with several threads that share one
 * table.
 *
 *     cc -pthread statistics.c $(pkg-config --cflags --libs neutreeko) -o statistics
 *     ./statistics */

#include <inttypes.h>
#include <neutreeko.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, PLIES = NK_MAX_PLIES + 1 };

struct share {
    struct nk_table *table;
    uint64_t begin, end;            /* numbers of entries, end exclusive */
    uint64_t draws, decided[PLIES]; /* by the distance: odd for wins, even for losses */
    enum nk_status status;
    struct nk_error error;
};

static void *count_share(void *context)
{
    struct share *share = (struct share *)context;
    for (uint64_t number = share->begin; number < share->end; number++) {
        struct nk_position position;
        struct nk_value value;
        const unsigned positions = nk_table_entry(share->table, number, &position);
        if (positions == 0)
            continue;
        share->status = nk_table_value(share->table, position, &value, &share->error);
        if (share->status)
            return NULL;
        if (value.result == NK_DRAW)
            share->draws += positions;
        else
            share->decided[value.plies] += positions;
    }
    return NULL;
}

int main(void)
{
    static struct share shares[THREADS];
    struct nk_table *table;
    struct nk_error error;
    pthread_t threads[THREADS];
    uint64_t draws = 0;

    if (nk_table_find(&table, &error)) {
        fprintf(stderr, "statistics: %s\n", error.text);
        return 1;
    }
    const uint64_t entries = nk_table_entries(table);
    for (unsigned t = 0; t < THREADS; t++) {
        shares[t].table = table;
        shares[t].begin = entries * t / THREADS;
        shares[t].end = entries * (t + 1) / THREADS;
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
