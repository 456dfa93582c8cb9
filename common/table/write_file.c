/* The file as the sink of a table that is written. */

#include "common/table/table.h"

static enum nk_status append(void *file, const void *bytes, size_t length, struct nk_error *error)
{
    return nk_writer_append(file, bytes, length, error);
}

static enum nk_status replace_first(void *file, const void *bytes, size_t length, struct nk_error *error)
{
    return nk_writer_replace(file, 0, bytes, length, error);
}

static enum nk_status close_file(void *file, uint64_t *checksum, struct nk_error *error)
{
    return nk_writer_close(file, checksum, error);
}

static void abandon(void *file)
{
    nk_writer_abandon(file);
}

enum nk_status nk_table_writer_open(struct nk_writer *file, const struct nk_index *index, int threads,
                                    struct nk_table_writer **writer, struct nk_error *error)
{
    const struct nk_table_sink sink = {file, append, replace_first, close_file, abandon};
    return nk_table_writer_open_sink(sink, index, threads, writer, error);
}
