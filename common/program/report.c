/* What programs print: messages, output, JSON lines and progress. */

#include "common/program/program.h"

#include "common/system/system.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- lines ---- */

int nk_count_columns(const char *text, size_t length)
{
    int columns = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\033')
            while (i + 1 < length && text[i] != 'm')
                i++;
        else
            columns += ((unsigned char)text[i] & 0xc0) != 0x80; /* not within a character of UTF-8 */
    }
    return columns;
}

void nk_strbuf_add_wrapped(struct nk_strbuf *out, int columns, int indent, const char *text)
{
    int column = 0;
    while (*text) {
        const int spaces = (int)strspn(text, " ");
        const int word = (int)strcspn(text + spaces, " \n");
        const int shown = nk_count_columns(text + spaces, (size_t)word);
        if (word && column && column + spaces + shown > columns) {
            nk_strbuf_add(out, "\n%*s%.*s", indent, "", word, text + spaces);
            column = indent + shown;
        } else {
            nk_strbuf_add(out, "%.*s", spaces + word, text);
            column += spaces + shown;
        }
        text += spaces + word;
        if (*text == '\n') {
            nk_strbuf_add(out, "\n");
            text++;
            column = 0;
        }
    }
}

/* ---- messages ---- */

enum { MESSAGE = 1000 }; /* bytes; a longer message is cut */

const char *nk_program_name = "neutreeko";

static void print_report(const char *format, va_list arguments)
{
    char text[MESSAGE], line[2 * MESSAGE * (NK_ESCAPED - 1)], wrapped[sizeof line];
    const char *shown = line;
    struct nk_strbuf buffer = {line, sizeof line, 0}, lines = {wrapped, sizeof wrapped, 0};
    vsnprintf(text, sizeof text, format, arguments);
    nk_strbuf_add(&buffer, "%s: ", nk_program_name);
    nk_strbuf_add_escaped(&buffer, text);
    if (nk_system_is_terminal(stderr)) {
        nk_strbuf_add_wrapped(&lines, nk_system_columns(stderr), 0, line);
        shown = wrapped;
    }
    (void)fflush(stdout); /* what was printed before is shown before it */
    /* One call prints the whole message, so that those of several processes do not mix. */
    fprintf(stderr, "%s\n", shown);
}

void nk_report(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_report(format, arguments);
    va_end(arguments);
}

int nk_usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_report(format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try '%s --help' for more information.\n", nk_program_name);
    return NK_EXIT_USAGE;
}

/* ---- output ---- */

void nk_print_escaped(const char *text)
{
    char escaped[NK_ESCAPED];
    while (*text) {
        text = nk_escape_first(text, escaped);
        fputs(escaped, stdout);
    }
}

static const char *output_path; /* NULL: standard output writes to no file of this program */

void nk_name_output(const char *path)
{
    output_path = path;
}

bool nk_flush_output(void)
{
    static bool reported;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    const struct nk_text reason = nk_system_error(errno);
    nk_system_note_lost_reader();
    reported |= nk_system_has_lost_reader();
    if (!reported && output_path)
        nk_report("cannot write " NK_PATH ": %s", NK_PATH_OF(output_path), reason.s);
    else if (!reported)
        nk_report("cannot write standard output: %s", reason.s);
    reported = true;
    return false;
}

struct nk_text nk_quote(const char *text)
{
    static const char dots[] = "...";
    struct nk_text quoted = {.s = ""};
    char *end = quoted.s, *const most = quoted.s + sizeof quoted.s - sizeof dots;
    while (*text) {
        char escaped[NK_ESCAPED];
        text = nk_escape_first(text, escaped);
        if (end + strlen(escaped) > most) {
            end = nk_put_text(end, dots);
            break;
        }
        end = nk_put_text(end, escaped);
    }
    *end = '\0';
    return quoted;
}

/* ---- numbers ---- */

struct nk_text nk_group_digits(uint64_t number)
{
    char digits[NK_NUMBER_TEXT];
    const int length = (int)(nk_put_number(digits, number) - digits);
    struct nk_text text = {0};
    char *out = text.s;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}

const char *nk_plural(uint64_t number)
{
    return number == 1 ? "" : "s";
}

/* ---- JSON ---- */

static void write_out(struct nk_json *json)
{
    (void)fwrite(json->bytes, 1, json->length, stdout);
    json->length = 0;
}

struct nk_json *nk_json_begin_line(void)
{
    static char bytes[BUFSIZ];
    static struct nk_json json = {.bytes = bytes, .size = sizeof bytes, .make_room = write_out};
    json.follows = false;
    nk_json_begin(&json, NULL, '{');
    nk_json_integer(&json, "version", NK_JSON_VERSION);
    return &json;
}

void nk_json_end_line(struct nk_json *json)
{
    nk_json_end(json, '}');
    write_out(json);
    putchar('\n');
}

void nk_json_real(struct nk_json *json, const char *key, double value)
{
    char digits[24], text[32];
    snprintf(digits, sizeof digits, "%.6g", value);
    snprintf(text, sizeof text, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
    nk_json_literal(json, key, text);
}

void nk_json_board(struct nk_json *json, const struct nk_board *board)
{
    char size[8];
    snprintf(size, sizeof size, "%dx%d", board->width, board->height);
    nk_json_string(json, "board", size);
    nk_json_integer(json, "pieces", board->pieces);
    nk_json_integer(json, "row_length", board->row_length);
    nk_json_string(json, "win", nk_win_name(board->win));
}

/* ---- progress ---- */

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
        fprintf(progress->out, "\r%.*s\033[K", nk_system_columns(progress->out) - 1, line);
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

/* The work left, in units of that of the last two passes, if the numbers of positions that every other pass decides go
 * on falling as they do. */
static double work_left(uint64_t before, uint64_t decided, uint64_t few)
{
    double work = 0, next = (double)decided;
    if (before <= decided)
        return unknown;
    for (int passes = 0; next >= 1 && passes <= NK_MAX_PLIES; passes += 2) {
        work += next < (double)few ? next : (double)few;
        next *= (double)decided / (double)before;
    }
    return work / (double)nk_least(before, few);
}

void nk_progress_show_ply(struct nk_progress *progress, int ply, uint64_t decided, uint64_t few)
{
    const double time = nk_system_now(), work = work_left(progress->decided[ply % 2], decided, few);
    if (is_due(progress, time)) {
        const struct nk_text detail =
            nk_text_of("ply %d, %s positions decided", ply, nk_group_digits(decided).s);
        print_line(progress, detail.s, time,
                   work < 0 ? unknown : work * (time - progress->ply_time[ply % 2]));
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
