#include "common/program/progress.h"

#include "common/base/strbuf.h"
#include "common/program/report.h"
#include "common/system/system.h"
#include "include/neutreeko.h"

#include <inttypes.h>
#include <string.h>

static const double unknown = -1;

void nk_progress_init(struct nk_progress *progress, FILE *out)
{
    memset(progress, 0, sizeof *progress);
    progress->out = out;
    progress->is_terminal = out && nk_system_is_terminal(out);
    progress->interval = progress->is_terminal ? 0.1 : 30;
    nk_progress_stage(progress, "");
}

void nk_progress_stage(struct nk_progress *progress, const char *name)
{
    nk_progress_clear(progress);
    progress->stage = name;
    progress->began = nk_system_now();
    /* On a terminal the first line is due at once. After a single interval, rounding could delay it. */
    progress->shown = progress->began - (progress->is_terminal ? 2 * progress->interval : 0);
    progress->first = unknown;
    progress->decided[0] = progress->decided[1] = 0;
}

static void add_duration(struct nk_strbuf *text, double seconds)
{
    const double most = 1e9; /* a wild estimate must fit into an int */
    const int whole = (int)(seconds < most ? seconds + 0.5 : most), minutes = whole / 60,
              hours = minutes / 60;
    if (hours)
        nk_strbuf_add(text, "%d h %d min", hours, minutes % 60);
    else if (minutes)
        nk_strbuf_add(text, "%d min %d s", minutes, whole % 60);
    else
        nk_strbuf_add(text, "%d s", whole);
}

/* Whether it is time for another line. */
static bool is_due(const struct nk_progress *progress, double time)
{
    return progress->out && time - progress->shown >= progress->interval;
}

static void print_line(struct nk_progress *progress, const char *detail, double time, double left)
{
    char line[200];
    struct nk_strbuf text = {line, sizeof line, 0};
    nk_strbuf_add(&text, "%s: %s, ", progress->stage, detail);
    add_duration(&text, time - progress->began);
    if (left >= 0) {
        nk_strbuf_add(&text, ", about ");
        add_duration(&text, left);
        nk_strbuf_add(&text, " left");
    }
    if (progress->is_terminal)
        fprintf(progress->out, "\r%.*s\033[K", nk_system_screen_size(progress->out).columns - 1, line);
    else
        fprintf(progress->out, "%s\n", line);
    (void)fflush(progress->out);
    progress->has_line = progress->is_terminal;
    progress->shown = time;
}

bool nk_progress_show(void *context, double done)
{
    struct nk_progress *progress = context;
    const double time = nk_system_now();
    char detail[16];
    if (progress->first < 0) {
        progress->first = done;
        progress->first_time = time;
    }
    if (is_due(progress, time)) {
        const double made = done - progress->first;
        snprintf(detail, sizeof detail, "%.1f %%", 100 * done);
        print_line(progress, detail, time,
                   made > 0 ? (1 - done) * (time - progress->first_time) / made : unknown);
    }
    return true;
}

/* The passes left, if the numbers of positions that every other pass decides go on falling as they do. */
static double passes_left(uint64_t before, uint64_t decided)
{
    double left = (double)decided;
    int passes = 0;
    if (before <= decided)
        return unknown;
    for (; left >= 1 && passes <= NK_MAX_PLIES; passes += 2)
        left = left * (double)decided / (double)before;
    return passes;
}

void nk_progress_show_ply(void *context, int ply, uint64_t decided)
{
    struct nk_progress *progress = context;
    const double time = nk_system_now(), passes = passes_left(progress->decided[ply % 2], decided);
    if (is_due(progress, time)) {
        const struct nk_text detail =
            nk_text_of("ply %d, %s positions decided", ply, nk_group_digits(decided).s);
        print_line(progress, detail.s, time,
                   passes < 0 ? unknown : passes * (time - progress->ply_time[ply % 2]) / 2);
    }
    progress->decided[ply % 2] = decided;
    progress->ply_time[ply % 2] = time;
}

void nk_progress_clear(struct nk_progress *progress)
{
    if (progress->has_line) {
        fputs("\r\033[K", progress->out);
        (void)fflush(progress->out);
    }
    progress->has_line = false;
}
