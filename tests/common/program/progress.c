/* What is printed about the progress of long work, and how lines are wrapped. */

#include "common/program/program.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(progress, .timeout = 60);

static char *text;
static size_t length;

/* A stage that began ten hours ago, printed at once, to memory. What is printed does not change for twenty seconds,
 * since the test may have to wait for its processor. */
static struct nk_progress after_ten_hours(bool is_terminal)
{
    struct nk_progress progress;
    nk_progress_init(&progress, open_memstream(&text, &length));
    progress.is_terminal = is_terminal;
    progress.interval = 0;
    nk_progress_stage(&progress, "verifying");
    progress.began -= 36000;
    return progress;
}

static void expect(struct nk_progress *progress, const char *expected)
{
    cr_assert_eq(fclose(progress->out), 0);
    cr_assert_str_eq(text, expected);
    free(text);
}

Test(progress, prints_lines_in_a_log_at_intervals)
{
    struct nk_progress progress = after_ten_hours(false);
    nk_progress_show(&progress, 0.2);
    progress.first_time -= 4000;
    nk_progress_show(&progress, 0.999);
    progress.interval = 3600;
    nk_progress_show(&progress, 1);
    nk_progress_clear(&progress);
    expect(&progress, "verifying: 20.0 %, 10 h 0 min\nverifying: 99.9 %, 10 h 0 min, about 5 s left\n");
}

Test(progress, replaces_its_line_on_a_terminal)
{
    struct nk_progress progress = after_ten_hours(true);
    nk_progress_show(&progress, 0.2);
    progress.first_time -= 239700;
    nk_progress_show(&progress, 0.999);
    progress.first_time -= 1e12;
    nk_progress_show(&progress, 0.999);
    nk_progress_clear(&progress);
    nk_progress_clear(&progress);
    expect(&progress,
           "\rverifying: 20.0 %, 10 h 0 min\033[K\rverifying: 99.9 %, 10 h 0 min, about 5 min 0 s left\033[K"
           "\rverifying: 99.9 %, 10 h 0 min, about 277777 h 46 min left\033[K\r\033[K");
}

/* Odd passes decide a tenth of the positions of the one before: after 100, 10, 1 and none are left, and as many even
 * ones. Those after 100, 10 and 1 take as long as two passes before; or, if 50 positions are few, 50, 10 and 1 fiftieth
 * of that; or, if 2,000 are, 100, 10 and 1 thousandth. */
Test(progress, estimates_the_passes_that_are_left)
{
    static const struct {
        uint64_t few;
        const char *left;
    } cases[] = {{1, "50 h 0 min"}, {50, "20 h 20 min"}, {2000, "1 h 51 min"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nk_progress progress = after_ten_hours(false);
        nk_progress_show_ply(&progress, 1, 500, cases[i].few);
        nk_progress_show_ply(&progress, 3, 1000, cases[i].few);
        progress.ply_time[1] -= 60000;
        nk_progress_show_ply(&progress, 5, 100, cases[i].few);
        char expected[200];
        snprintf(expected, sizeof expected,
                 "verifying: ply 1, 500 positions decided, 10 h 0 min\n"
                 "verifying: ply 3, 1,000 positions decided, 10 h 0 min\n"
                 "verifying: ply 5, 100 positions decided, 10 h 0 min, about %s left\n",
                 cases[i].left);
        expect(&progress, expected);
    }
}

Test(progress, rounds_times_to_the_nearest_second)
{
    struct nk_progress progress = after_ten_hours(false);
    nk_progress_show(&progress, 0.5);
    progress.first_time -= 5720; /* for 0.49 of the work; 0.01 are left */
    nk_progress_show(&progress, 0.99);
    expect(&progress, "verifying: 50.0 %, 10 h 0 min\n"
                      "verifying: 99.0 %, 10 h 0 min, about 1 min 57 s left\n");
}

/* A line is as long as it is shown: without the bytes that choose a colour, with a character of several bytes once. */
Test(report, wraps_what_does_not_fit)
{
    static const char *const texts[][2] = {
        {"eight chars", "eight\n  chars"},
        {"\u00e5ight chars", "\u00e5ight\n  chars"},
        {"\033[1meight\033[0m chars", "\033[1meight\033[0m\n  chars"},
    };
    for (int columns = 10; columns <= 11; columns++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            char wrapped[80];
            struct nk_strbuf out = {wrapped, sizeof wrapped, 0};
            nk_strbuf_add_wrapped(&out, columns, 2, texts[i][0]);
            cr_assert_str_eq(wrapped, texts[i][columns == 10], "%s in %d columns", texts[i][0], columns);
        }
}
