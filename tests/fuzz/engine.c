/* The protocol of `neutreeko engine`. All bytes are what the other program says. */

#include "tests/fuzz/fuzz.h"

#include "player/player.h"
#include "tests/solver/support.h"

#include <regex.h>
#include <unistd.h>

/* All that the engine may answer: lines of plain characters. */
#define ANSWERS                                                                                                      \
    "^((wait|ready|pong|id name=Neutreeko version=" NK_VERSION "|param name=opponent value=[ -~]*"                   \
    "|state pos=\"[bw1-5/ ]*\" to_move=(black|white)( reason=[a-z]+( winner=(black|white))?)? moves=\"[a-e1-5 -]*\"" \
    "|error message=\"[ !#-~]*\"|(done|info) move=[a-e][1-5]-[a-e][1-5] result="                                     \
    "(draw|win plies=([1-9][0-9]?)?[13579]|loss plies=([1-9][0-9]?)?[02468]))\n)*$"

/* The longest win of the standard board takes 51 plies. */
#define TOO_FAR "(^|\n)(done|info) [^\n]*plies=(5[2-9]|[6-9][0-9]|[0-9]{3})"

/* An opponent that looks two plies ahead, or more, takes its time, which is right. */
#define LOOKS_AHEAD "(minimax|alphabeta):0*([2-9]|[1-9][0-9])"

/* The standard table with traps and without. To look up a trap means to count the draws of a block, which
 * takes most of the time if it may. */
static struct nk_table *standard, *trapless;
static regex_t right_answers, too_far, looks_ahead;

static void prepare(void)
{
    AUTO_SOLVED solved = solve_board(STANDARD);
    const int flags = REG_EXTENDED | REG_NOSUB;
    char path[80];
    snprintf(path, sizeof path, "%s/table", make_directory());
    write_table(&solved, path);
    CHECK(!nk_table_open(path, &standard, NULL));
    drop_traps(&solved);
    write_table(&solved, path);
    CHECK(!nk_table_open(path, &trapless, NULL));
    remove_directory(); /* open files stay */
    CHECK(!regcomp(&right_answers, ANSWERS, flags));
    CHECK(!regcomp(&too_far, TOO_FAR, flags));
    CHECK(!regcomp(&looks_ahead, LOOKS_AHEAD, flags));
}

/* Its answers to these bytes and then these lines, for the caller to free. */
static char *converse(struct nk_table *table, const void *bytes, size_t size, const char *lines)
{
    char *answers = NULL;
    size_t length;
    FILE *in = tmpfile();
    FILE *out = open_memstream(&answers, &length);
    struct nk_error error;
    CHECK(in);
    CHECK(out);
    CHECK(fwrite(bytes, 1, size, in) == size);
    CHECK(fputs(lines, in) >= 0);
    CHECK(!fflush(in));
    CHECK(lseek(fileno(in), 0, SEEK_SET) == 0);
    CHECK(!engine_run(table, 1, fileno(in), out, &error));
    CHECK(!fclose(in));
    CHECK(!fclose(out));
    CHECK(strlen(answers) == length);
    CHECK(!regexec(&right_answers, answers, 0, NULL, 0));
    CHECK(regexec(&too_far, answers, 0, NULL, 0));
    return answers;
}

/* With more lines after it, it is answered the same; whatever was said, the engine still plays. */
static void say_more(const uint8_t *data, size_t size)
{
    char *answers = converse(standard, data, size, "");
    char *more = converse(standard, data, size, "\nquit now\npos\ngo\nping\nquit\n");
    const size_t before = strlen(answers), after = strlen(more);
    CHECK(strncmp(answers, more, before) == 0);
    if (after > before) {
        CHECK(after > 6);
        CHECK(strcmp(more + after - 6, "\npong\n") == 0);
    } else {
        CHECK(memmem(data, size, "quit", 4));
    }
    free(answers);
    free(more);
}

/* The bytes before the second `go`: each looks up thousands of entries. */
static size_t with_one_go(const uint8_t *data, size_t size)
{
    const uint8_t *at = memmem(data, size, "go", 2);
    if (at)
        at = memmem(at + 2, size - (size_t)(at + 2 - data), "go", 2);
    return at ? (size_t)(at - data) : size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!standard)
        prepare();
    char *text = malloc(size + 1);
    CHECK(text);
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] ? (char)data[i] : ' ';
    text[size] = '\0';
    if (regexec(&looks_ahead, text, 0, NULL, 0)) {
        free(converse(trapless, data, with_one_go(data, size), ""));
        if (is_chosen(data, size, 256))
            say_more(data, size);
    }
    free(text);
    return 0;
}
