/* The engine with lines that no program sends that waits for an answer to each, and on a full disk. */

#include "player/engine.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(engine, .init = open_standard, .fini = close_board, .timeout = 60);

#define SEARCH "set-param name=opponent value=alphabeta:"

/* A search looks at the lines that have come since; a file has all of them at once, and an end. */
Test(engine, stops_a_search_for_lines_ahead)
{
    static const struct {
        const char *input, *answers; /* the first four characters of each */
        bool is_file;
        int blank; /* lines between the first two and the others */
    } cases[] = {
        {SEARCH "20\ngo\nping\nquit\n", "done pong ", false, 0},
        {SEARCH "20\ngo\ngo", "done done ", true, 0},
        {SEARCH "6\ngo\nping\n", "done pong ", true, 70000}, /* more than fits into memory */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *printed, answers[32] = "";
        size_t size;
        int ends[2];
        FILE *out = open_memstream(&printed, &size), *file = tmpfile();
        cr_assert(out && file && !pipe(ends));
        const char *rest = strstr(cases[i].input, "go\n") + 3;
        FILE *in = cases[i].is_file ? file : fdopen(ends[1], "w");
        fprintf(in, "%.*s", (int)(rest - cases[i].input), cases[i].input);
        for (int line = 0; line < cases[i].blank; line++)
            fputc('\n', in);
        fputs(rest, in);
        rewind(in);
        cr_assert(!nk_engine_run(table, 0, cases[i].is_file ? fileno(file) : ends[0], out, NULL));
        fclose(out);
        for (char *line = strtok(printed, "\n"); line; line = strtok(NULL, "\n"))
            snprintf(answers + strlen(answers), sizeof answers - strlen(answers), "%.4s ", line);
        cr_assert_str_eq(answers, cases[i].answers);
        free(printed);
        fclose(in);
    }
}

/* Where nothing is held back, a write fails before the flush does. */
Test(engine, notices_a_full_disk_behind_an_unbuffered_stream)
{
    struct nk_error error = {0};
    int in[2];
    FILE *out = fopen("/dev/full", "w");
    if (!out)
        cr_skip("no /dev/full");
    cr_assert(!setvbuf(out, NULL, _IONBF, 0) && !pipe(in) && write(in[1], "ping\n", 5) == 5);
    /* Somebody could still write to the pipe: to read on would be to wait. */
    cr_assert_eq(nk_engine_run(table, 0, in[0], out, &error), NK_E_WRITE);
    cr_assert(strstr(error.text, "cannot write to standard output: No space left"), "%s", error.text);
    close(in[0]);
    close(in[1]);
    fclose(out);
}
