/* The protocol of `neutreeko engine`. All bytes are what the other program says. */

#include "tests/fuzz/fuzz.h"

#include "player/engine.h"

#include <string.h>
#include <unistd.h>

/* The standard table with traps and without. To look up a trap means to count the draws of a block, which
 * takes most of the time if it may. */
static struct nk_table *standard, *trapless;

static void open_tables(void)
{
    AUTO_SOLVED solved = solve_board(STANDARD);
    char path[80];
    snprintf(path, sizeof path, "%s/table", make_directory());
    write_table(&solved, path);
    CHECK(!nk_table_open(path, &standard, NULL));
    free(solved.traps);
    solved.traps = NULL;
    write_table(&solved, path);
    CHECK(!nk_table_open(path, &trapless, NULL));
    remove_directory(); /* open files stay */
}

/* An opponent that looks further ahead than `plies` takes its time, which is no fault. */
static bool takes_long(const char *text, size_t size, char plies)
{
    static const char *const names[] = {"minimax:", "alphabeta:"};
    for (size_t n = 0; n < COUNT(names); n++) {
        const size_t length = strlen(names[n]);
        const char *at = text;
        while ((at = memmem(at, size - (size_t)(at - text), names[n], length))) {
            at += length;
            const char *digit = at;
            while (digit < text + size && *digit == '0')
                digit++;
            const size_t left = (size_t)(text + size - digit);
            if (left && (*digit > plies || (left > 1 && digit[1] >= '0' && digit[1] <= '9')))
                return true;
        }
    }
    return false;
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* `move=b1-c1 result=win distance=3` or `move=b1-c1 result=draw` */
static void check_move(const char *text)
{
    char move_text[NK_MOVE_TEXT] = {0};
    struct nk_move move;
    int distance, end = 0;
    CHECK(sscanf(text, "move=%5s%n", move_text, &end) == 1);
    CHECK(!nk_move_parse(nk_table_rules(standard), move_text, &move, NULL));
    text += end;
    if (strcmp(text, " result=draw") == 0)
        return;
    const bool win = begins(text, " result=win distance=");
    CHECK(win || begins(text, " result=loss distance="));
    text = strrchr(text, '=') + 1;
    end = 0;
    CHECK(sscanf(text, "%d%n", &distance, &end) == 1 && !text[end]);
    CHECK(distance >= 0 && distance % 2 == win && distance <= (int)nk_table_summary(standard)->longest);
}

static void check_line(const char *line)
{
    static const char *const whole[] = {"wait", "ready", "pong", ("id name=Neutreeko version=" NK_VERSION)};
    for (const char *c = line; *c; c++)
        CHECK(*c >= ' ' && *c <= '~');
    for (size_t i = 0; i < COUNT(whole); i++)
        if (strcmp(line, whole[i]) == 0)
            return;
    if (begins(line, "done "))
        check_move(line + 5);
    else if (begins(line, "info "))
        check_move(line + 5);
    else if (begins(line, "error message=\""))
        CHECK(strchr(line + 15, '"') == line + strlen(line) - 1);
    else
        CHECK(begins(line, "param name=opponent value="));
}

/* What it answers to these bytes. */
static char *converse(struct nk_table *table, const void *bytes, size_t size, size_t *length)
{
    char *answers = NULL;
    FILE *in = tmpfile();
    FILE *out = open_memstream(&answers, length);
    struct nk_error error;
    CHECK(in && out && fwrite(bytes, 1, size, in) == size && !fflush(in));
    CHECK(lseek(fileno(in), 0, SEEK_SET) == 0);
    CHECK(!nk_engine_run(table, 1, fileno(in), out, &error));
    CHECK(!fclose(in) && !fclose(out));
    return answers;
}

static void check_answers(char *answers)
{
    for (char *line = answers, *end; *line; line = end + 1) {
        CHECK((end = strchr(line, '\n')));
        *end = '\0';
        check_line(line);
    }
    free(answers);
}

/* With more lines after it, it is answered the same; whatever was said, the engine still plays. */
static void say_more(const uint8_t *data, size_t size)
{
    static const char rest[] = "\nquit now\npos\ngo\nping\nquit\n";
    char *text = malloc(size + sizeof rest - 1);
    size_t length, length_again;
    CHECK(text);
    memcpy(text, data, size);
    memcpy(text + size, rest, sizeof rest - 1);
    char *answers = converse(standard, data, size, &length);
    char *more = converse(standard, text, size + sizeof rest - 1, &length_again);
    CHECK(length_again >= length && memcmp(answers, more, length) == 0);
    const bool quit = length_again == length;
    CHECK(quit || (length_again > 6 && strcmp(more + length_again - 6, "\npong\n") == 0));
    CHECK(!quit || memmem(data, size, "quit", 4));
    check_answers(answers);
    free(more);
    free(text);
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
    size_t length;
    if (!standard)
        open_tables();
    if (!takes_long((const char *)data, size, '1'))
        check_answers(converse(trapless, data, with_one_go(data, size), &length));
    if (is_chosen(data, size, 256) && !takes_long((const char *)data, size, '2'))
        say_more(data, size);
    return 0;
}
