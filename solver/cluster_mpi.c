/* The processes that mpirun started. */

#include "solver/solver.h"

#include <mpi.h>
#include <string.h>

static void sum(uint64_t *values, size_t count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static uint64_t minimum(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return value;
}

static void gather(int from, uint8_t *bytes, size_t length)
{
    enum { AT_ONCE = 1 << 20 }; /* MPI counts in int */
    int process;
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    for (size_t at = 0; from > 0 && at < length; at += AT_ONCE) {
        const int count = (int)nk_least(AT_ONCE, length - at);
        if (process == from)
            MPI_Send(bytes + at, count, MPI_UINT8_T, 0, 0, MPI_COMM_WORLD);
        if (process == 0)
            MPI_Recv(bytes + at, count, MPI_UINT8_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* ---- the exchange: each process sends the rows of its slices to those that own the orbits of their configurations,
 * without the words that are zero ---- */

/* Whether image g of an orbit's canonical configuration is not among the images before it. */
static bool is_new_image(const struct nk_orbit *orbit, int g)
{
    for (int before = 0; before < g; before++)
        if (orbit->images[before] == orbit->images[g])
            return false;
    return true;
}

static void fill_exchange(struct nk_exchange *exchange)
{
    const struct nk_index *index = exchange->index;
    const int size = exchange->cluster->size;
    uint32_t filled = 0;
    for (int p = 0; p < size; p++) {
        const struct nk_slice_range range = nk_cluster_range_of(exchange->cluster, index, p);
        exchange->first_row[p] = filled;
        for (uint32_t c = 0; c < range.orbits; c++) {
            const struct nk_orbit *orbit = &index->orbits[range.first_orbit + c];
            for (int g = 0; g < index->rules.symmetries; g++)
                if (is_new_image(orbit, g)) {
                    exchange->row_of[orbit->images[g]] = filled - exchange->first_row[p];
                    exchange->row_order[filled++] = orbit->images[g];
                }
        }
    }
    exchange->first_row[size] = filled;
}

static void add_exchange(struct nk_exchange *exchange, struct nk_memory *memory)
{
    const uint64_t all = exchange->index->configurations, size = (uint64_t)exchange->cluster->size;
    /* Every process sends as many rows as this one owns: a fair share of the configurations, and at most a slice of
     * full orbits more. */
    const uint64_t in = all + size * NK_SLICE_COLUMNS * NK_SYMMETRIES;
    nk_memory_add(memory, &exchange->row_order, all, sizeof *exchange->row_order);
    nk_memory_add(memory, &exchange->first_row, size + 1, sizeof *exchange->first_row);
    nk_memory_add(memory, &exchange->row_of, all, sizeof *exchange->row_of);
    nk_memory_add(memory, &exchange->received, size, sizeof *exchange->received);
    nk_memory_add(memory, &exchange->counts, 8 * size, sizeof *exchange->counts);
    nk_memory_add(memory, &exchange->masks_out, all, 1);
    nk_memory_add(memory, &exchange->words_out, all, sizeof(nk_row_bits));
    nk_memory_add(memory, &exchange->masks_in, in, 1);
    nk_memory_add(memory, &exchange->words_in, in, sizeof(nk_row_bits));
    nk_memory_add(memory, &exchange->rows, in, sizeof(nk_row_bits));
}

/* Fills masks_out and words_out in the order of row_order. counts[p] receives the number of words for process p. */
static void pack(struct nk_exchange *exchange, const nk_row_bits *rows, const uint8_t *nonempty, int *counts)
{
    uint64_t *word = exchange->words_out;
    for (int p = 0; p < exchange->cluster->size; p++) {
        const uint64_t *begin = word;
        for (uint32_t i = exchange->first_row[p]; i < exchange->first_row[p + 1]; i++) {
            const uint32_t row = exchange->row_order[i];
            uint8_t mask = 0;
            if (nonempty[row])
                for (int w = 0; w < NK_ROW_WORDS; w++) {
                    mask |= (uint8_t)((rows[row].word[w] != 0) << w);
                    *word = rows[row].word[w]; /* overwritten by the next word if it is zero */
                    word += *word != 0;
                }
            exchange->masks_out[i] = mask;
        }
        counts[p] = (int)(word - begin);
    }
}

/* The inverse of `pack`: restores the rows that are not empty. */
static void unpack(struct nk_exchange *exchange, uint64_t rows)
{
    const uint64_t *word = exchange->words_in;
    for (uint64_t i = 0; i < rows; i++)
        if (exchange->masks_in[i])
            for (int w = 0; w < NK_ROW_WORDS; w++)
                exchange->rows[i].word[w] = exchange->masks_in[i] >> w & 1 ? *word++ : 0;
}

/* Fills in where the items of each process begin, behind their numbers. */
static void add_offsets(int *counts, int size)
{
    int sum = 0;
    for (int p = 0; p < size; p++) {
        counts[size + p] = sum;
        sum += counts[p];
    }
}

/* Sends out_counts[p] items to each process p, in their order, and receives in_counts[p] from it. */
static void send_all(int size, MPI_Datatype type, const void *out, int *out_counts, void *in, int *in_counts)
{
    add_offsets(out_counts, size);
    add_offsets(in_counts, size);
    MPI_Alltoallv(out, out_counts, out_counts + size, type, in, in_counts, in_counts + size, type,
                  MPI_COMM_WORLD);
}

/* Counts the words that each process sends, by the masks that it has sent. Returns the number of masks. */
static uint64_t count_words(const struct nk_exchange *exchange, const int *rows_in, int *words_in)
{
    uint64_t received = 0;
    for (int p = 0; p < exchange->cluster->size; p++) {
        const uint64_t end = received + (uint64_t)rows_in[p];
        words_in[p] = 0;
        for (; received < end; received++)
            words_in[p] += __builtin_popcount(exchange->masks_in[received]);
    }
    return received;
}

/* Describes the rows that each process has sent. */
static void fill_sources(struct nk_exchange *exchange, uint32_t round, const int *rows_in)
{
    uint64_t first = 0;
    exchange->sources = exchange->received;
    exchange->source_count = 0;
    for (int p = 0; p < exchange->cluster->size; p++) {
        const uint32_t slice = nk_cluster_range_of(exchange->cluster, exchange->index, p).first_slice + round;
        if (rows_in[p])
            exchange->received[exchange->source_count++] =
                (struct nk_source){slice, exchange->rows + first, exchange->masks_in + first};
        first += (uint64_t)rows_in[p];
    }
}

static void run_round(struct nk_exchange *exchange, uint32_t round, const struct nk_source *own)
{
    const struct nk_cluster *cluster = exchange->cluster;
    const int size = cluster->size, process = cluster->process;
    const uint32_t *first_row = exchange->first_row;
    const size_t step = 2 * (size_t)size;
    int *rows_out = exchange->counts, *rows_in = rows_out + step;
    int *words_out = rows_in + step, *words_in = words_out + step;
    /* Some processes have a slice less than others, and send nothing in the last round. */
    const bool sends = round < nk_cluster_range(cluster, exchange->index).slices;

    memset(words_out, 0, (size_t)size * sizeof *words_out);
    if (sends)
        pack(exchange, own[round].rows, own[round].nonempty, words_out);
    for (int p = 0; p < size; p++) {
        const bool receives = round < nk_cluster_range_of(exchange->cluster, exchange->index, p).slices;
        rows_out[p] = sends ? (int)(first_row[p + 1] - first_row[p]) : 0;
        rows_in[p] = receives ? (int)(first_row[process + 1] - first_row[process]) : 0;
        if (p != process)
            exchange->sent += (uint64_t)rows_out[p] + 8 * (uint64_t)words_out[p];
    }
    send_all(size, MPI_UINT8_T, exchange->masks_out, rows_out, exchange->masks_in, rows_in);
    const uint64_t received = count_words(exchange, rows_in, words_in);
    send_all(size, MPI_UINT64_T, exchange->words_out, words_out, exchange->words_in, words_in);
    unpack(exchange, received);
    fill_sources(exchange, round, rows_in);
}

static void join(struct nk_exchange *exchange, struct nk_list *list)
{
    const int own = (int)list->count, size = exchange->cluster->size;
    int *counts = exchange->counts, *begins = counts + size;
    MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    add_offsets(counts, size);
    memmove(list->elements + begins[exchange->cluster->process], list->elements,
            list->count * sizeof *list->elements);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, list->elements, counts, begins, MPI_UINT64_T,
                   MPI_COMM_WORLD);
    list->count = (size_t)begins[size - 1] + (size_t)counts[size - 1];
    exchange->sent += (uint64_t)own * sizeof *list->elements * (uint64_t)(size - 1);
}

/* ---- beginning and ending ---- */

/* Global like the state of MPI itself; constant after nk_cluster_begin. */
static struct nk_cluster cluster = {
    .sum = sum,
    .min = minimum,
    .gather = gather,
    .add_exchange = add_exchange,
    .fill_exchange = fill_exchange,
    .run_round = run_round,
    .join = join,
};

const struct nk_cluster *nk_cluster_begin(int *argc, char ***argv)
{
    int provided;
    MPI_Comm machine;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &cluster.process);
    MPI_Comm_size(MPI_COMM_WORLD, &cluster.size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, cluster.process, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &cluster.local_size);
    MPI_Comm_free(&machine);
    return &cluster;
}

void nk_cluster_end(void)
{
    MPI_Finalize();
}

void nk_cluster_abort(int status)
{
    if (cluster.size > 1)
        MPI_Abort(MPI_COMM_WORLD, status);
}
