/* What the tests and the fuzz targets share: boards, every placement of a board, files of their own, tables. What is
 * solved is in tests/solver/support.h. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include "common/table/table.h"

#include <stdlib.h>

#define STANDARD ((struct nk_board){5, 5, 3, 3, NK_WIN_LINE})
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Ends the program when a condition does not hold; for what is used without Criterion, too. */
#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))
_Noreturn void check_failed(const char *file, int line, const char *condition);

/* A text to pass on by value. */
struct text {
    char s[96];
};

struct nk_rules rules_of(struct nk_board board);
struct nk_index *index_of(struct nk_board board);

struct nk_text position_text(const struct nk_rules *rules, struct nk_position position);

/* Each puts the next one into its argument, which is zero before the first; false after the last. Placements
 * are all pairs of disjoint configurations, legal or not. */
bool next_configuration(const struct nk_rules *rules, uint64_t *squares);
bool next_placement(const struct nk_rules *rules, struct nk_position *position);

/* True when the position can occur and nobody has won. */
bool goes_on(const struct nk_rules *rules, struct nk_position position);

bool same_position(struct nk_position a, struct nk_position b);
bool same_value(struct nk_value a, struct nk_value b);
bool same_summary(const struct nk_summary *a, const struct nk_summary *b);

/* The code that a table has for a value. */
uint8_t code_of(struct nk_value value);

/* Whether to try more: in the test programs' runs of the suite "thorough", with THOROUGH in the environment. */
bool is_thorough(void);

/* What is declared as one of these is freed at the end of its scope: `AUTO_INDEX *index = index_of(STANDARD);` */
#define AUTO(release) __attribute__((cleanup(release)))
#define AUTO_BYTES AUTO(bytes_free) struct bytes
#define AUTO_STRING AUTO(release_string) char
#define AUTO_INDEX AUTO(release_index) struct nk_index
#define AUTO_TABLE AUTO(release_table) struct nk_table

static inline void release_string(char **string)
{
    free(*string);
}

static inline void release_index(struct nk_index **index)
{
    nk_index_free(*index);
}

static inline void release_table(struct nk_table **table)
{
    nk_table_close(*table);
}

/* Of a program that meson.build links so that the library's calls of malloc and the like come here. */
extern long unfreed_blocks;
/* So many allocations succeed, and the next one fails. Then all succeed again; whether one has failed. */
void fail_after(long allocations);
bool end_failing(void);

/* Makes a directory, in memory if possible, and returns its name; removes it with all that is in it. */
const char *make_directory(void);
void remove_directory(void);

/* Fixtures: a directory of its own for a test, which is its working directory. */
void enter_directory(void);
void leave_directory(void);

/* How many there are in a directory. */
int files_in(const char *path);

struct bytes {
    uint8_t *data; /* followed by a zero, so that a text is a string */
    size_t size;
};

struct bytes read_bytes(const char *path);
void bytes_free(const struct bytes *bytes);
void write_bytes(const char *path, const void *data, size_t size);

/* What a table contains. */
struct contents {
    struct nk_index *index;
    struct nk_summary summary;
    uint8_t *codes; /* of all entries */
    uint8_t *traps; /* of the draws; NULL when there are none */
};

void write_contents(const struct contents *contents, const char *path);

/* The bytes of the table, made through a file of the working directory. */
struct bytes contents_bytes(const struct contents *contents);

/* What is read from a table and is not in the contents, or an empty text. */
struct text table_difference(struct nk_table *table, const struct contents *contents);

/* Open a table, from the file "table.dat" that is written first or from its bytes, which must stay. */
struct nk_table *open_contents(const struct contents *contents);
struct nk_table *open_bytes(struct bytes bytes);

#endif
