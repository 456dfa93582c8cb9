/* What people see and type: boards, texts in the width of a terminal, and lines of input, except where libedit edits
 * them. */

#include "player/terminal/terminal.h"

#include "common/base/base.h"
#include "common/program/program.h"
#include "common/system/system.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- boards ---- */

const char *display_piece_text(enum nk_colour colour, bool unicode)
{
    static const char *const texts[2][2] = {[NK_BLACK] = {"b", "\u25cf"}, [NK_WHITE] = {"w", "\u25cb"}};
    return texts[colour][unicode];
}

struct nk_text display_result_text(enum nk_result result, bool colour, const char *text)
{
    struct nk_text painted;
    char *out = painted.s;
    if (colour)
        out = nk_put_text(out, result == NK_WIN ? "\033[32m" : result == NK_LOSS ? "\033[31m" : "\033[33m");
    out = nk_put_text(out, text);
    if (colour)
        (void)nk_put_text(out, "\033[0m");
    return painted;
}

enum paint { PAINT_EMPTY, PAINT_BLACK, PAINT_WHITE, PAINT_MARK };

/* Writes a character, as a string; returns the end of what it has written. */
static char *put_painted(char *out, const char *c, enum paint paint, bool colour)
{
    /* None is the colour of a result. */
    static const char *const codes[] = {
        [PAINT_EMPTY] = "2", [PAINT_BLACK] = "1;35", [PAINT_WHITE] = "1;36", [PAINT_MARK] = "1"};
    if (colour)
        out = nk_put_text(nk_put_text(nk_put_text(out, "\033["), codes[paint]), "m");
    out = nk_put_text(out, c);
    return colour ? nk_put_text(out, "\033[0m") : out;
}

void display_board(const struct nk_rules *rules, struct nk_position position, enum nk_colour to_move,
                   struct board_view view)
{
    char text[sizeof "\033[1;36m\u25cf\033[0m" * 2 * (NK_MAX_SIDE + 1) * (NK_MAX_SIDE + 1) + 1];
    const uint64_t black = nk_pieces_of(position, to_move, NK_BLACK);
    const uint64_t white = nk_pieces_of(position, to_move, NK_WHITE);
    char *out = text;
    for (int y = rules->board.height - 1; y >= 0; y--) {
        const int rank = view.flip ? rules->board.height - 1 - y : y;
        bool marked = false; /* the previous square is where the last move ended */
        *out++ = ' ';
        *out++ = (char)('1' + rank);
        *out++ = ' ';
        for (int x = 0; x < rules->board.width; x++) {
            const int square = rules->board.width * rank + (view.flip ? rules->board.width - 1 - x : x);
            const bool is_last = view.last && view.last->to == square;
            if (marked || is_last)
                out = put_painted(out, marked ? "]" : "[", PAINT_MARK, view.colour);
            else
                *out++ = ' ';
            marked = is_last;
            if (black & nk_bit(square))
                out = put_painted(out, display_piece_text(NK_BLACK, view.unicode), PAINT_BLACK, view.colour);
            else if (white & nk_bit(square))
                out = put_painted(out, display_piece_text(NK_WHITE, view.unicode), PAINT_WHITE, view.colour);
            else if (view.last && view.last->from == square)
                out = put_painted(out, "+", PAINT_MARK, view.colour);
            else
                out = put_painted(out, ".", PAINT_EMPTY, view.colour);
        }
        if (marked)
            out = put_painted(out, "]", PAINT_MARK, view.colour);
        *out++ = '\n';
    }
    out = nk_put_text(out, "   ");
    for (int x = 0; x < rules->board.width; x++) {
        *out++ = ' ';
        *out++ = (char)('a' + (view.flip ? rules->board.width - 1 - x : x));
    }
    *out++ = '\n';
    fwrite(text, 1, (size_t)(out - text), stdout);
}

void display_game(const struct nk_game *game, int ply, struct board_view view)
{
    struct nk_move last;
    if (ply) {
        last = nk_game_move_at(game, ply - 1);
        view.last = &last;
    }
    display_board(nk_game_rules(game), nk_game_position_at(game, ply), nk_game_to_move_at(game, ply), view);
}

/* ---- texts ---- */

void terminal_print(FILE *stream, int indent, const char *text)
{
    struct nk_strbuf lines = {NULL, 0, 0};
    char *wrapped = NULL;
    if (nk_system_is_terminal(stream)) {
        const int columns = nk_system_columns(stream), most = columns / 2;
        indent = indent < most ? indent : most;
        nk_strbuf_add_wrapped(&lines, columns, indent, text);
        if ((wrapped = malloc(lines.length + 1)))
            nk_strbuf_add_wrapped(&(struct nk_strbuf){wrapped, lines.length + 1, 0}, columns, indent, text);
    }
    fputs(wrapped ? wrapped : text, stream);
    free(wrapped);
}

void terminal_printf(int indent, const char *format, ...)
{
    static char text[1 << 15]; /* a path may be long */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    terminal_print(stdout, indent, text);
}

void terminal_print_columns(const char *texts, size_t size, int count)
{
    enum { MARGIN = 2, GAP = 3 };
    int widest = 1;
    for (int t = 0; t < count; t++) {
        const char *text = texts + (size_t)t * size;
        const int columns = nk_count_columns(text, strlen(text));
        widest = columns > widest ? columns : widest;
    }
    int across = 1;
    if (nk_system_is_terminal(stdout))
        across = (nk_system_columns(stdout) - MARGIN + GAP) / (widest + GAP);
    if (across < 1)
        across = 1;
    const int down = (count + across - 1) / across;
    for (int y = 0; y < down; y++)
        for (int t = y; t < count; t += down) {
            const bool last = t + down >= count;
            const char *text = texts + (size_t)t * size;
            printf("%*s%s%*s", t == y ? MARGIN : GAP, "", text,
                   last ? 0 : widest - nk_count_columns(text, strlen(text)), "");
            if (last)
                putchar('\n');
        }
}

/* ---- lines of a program, for the engine and 'neutreeko query -' ---- */

/* Reads bytes after those that have been read ahead. There is room. */
static void read_more(struct line_input *in)
{
    ssize_t got;
    do
        got = read(in->file, in->bytes + in->end, (unsigned)(sizeof in->bytes - in->end));
    while (got < 0 && errno == EINTR);
    in->end += got > 0 ? (size_t)got : 0;
    in->failed = got < 0 ? errno : 0;
    in->ended = got <= 0;
}

void line_read_ahead(struct line_input *in)
{
    memmove(in->bytes, in->bytes + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
    if (!in->ended && in->end < sizeof in->bytes && nk_system_has_input(in->file))
        read_more(in);
}

bool line_is_ahead(const struct line_input *in, const char *word)
{
    const char *line = in->bytes + in->begin, *const end = in->bytes + in->end, *next;
    for (; line < end; line = next + 1) {
        next = memchr(line, '\n', (size_t)(end - line));
        if (!next && !in->ended)
            return false;
        if (!next)
            next = end; /* the last line needs no end */
        const char *last = next;
        while (line < last && nk_is_blank(*line))
            line++;
        while (line < last && (nk_is_blank(last[-1]) || nk_is_line_end(last[-1])))
            last--;
        if ((size_t)(last - line) == strlen(word) && memcmp(line, word, strlen(word)) == 0)
            return true;
    }
    return false;
}

bool line_is_ready(const struct line_input *in)
{
    return memchr(in->bytes + in->begin, '\n', in->end - in->begin);
}

bool line_read(struct line_input *in)
{
    size_t count = 0;
    bool is_long = false, any = false;
    const char *newline = NULL;
    while (!newline) {
        if (in->begin == in->end && !in->ended) {
            in->begin = in->end = 0;
            read_more(in);
        }
        if (in->begin == in->end)
            break;
        const char *bytes = in->bytes + in->begin;
        newline = memchr(bytes, '\n', in->end - in->begin);
        const size_t more = newline ? (size_t)(newline - bytes) : in->end - in->begin;
        const size_t kept = more <= LINE_BYTES - count ? more : LINE_BYTES - count;
        memcpy(in->text + count, bytes, kept);
        count += kept;
        for (size_t at = kept; at < more; at++)
            is_long |= bytes[at] != '\r'; /* which belongs to the end of the line, if it ends here */
        in->begin += more + (newline != NULL);
        any = true;
    }
    while (!is_long && count && in->text[count - 1] == '\r')
        count--;
    in->text[count] = '\0';
    in->length = count + is_long;
    return any;
}

/* ---- lines of a person ---- */

void terminal_add_word(struct terminal_words *found, const char *word, const char *end)
{
    found->too_many |= found->count == TERMINAL_MAX_WORDS;
    if (!found->too_many)
        snprintf(found->words[found->count++], TERMINAL_WORD, "%s%s", word, end);
}

void terminal_clean(char *line)
{
    const char *begin = line + nk_byte_order_mark_length(line, strlen(line));
    begin += strspn(begin, NK_BLANKS NK_LINE_ENDS);
    size_t length = strlen(begin);
    while (length && (nk_is_blank(begin[length - 1]) || nk_is_line_end(begin[length - 1])))
        length--;
    memmove(line, begin, length);
    line[length] = '\0';
    for (char *c = line; *c; c++)
        if (*c == '\t')
            *c = ' ';
}

enum nk_status terminal_read_input(const char *prompt, char buffer[TERMINAL_LINE], const char **line,
                                   struct nk_error *error)
{
    size_t length = 0;
    int c;
    *line = NULL;
    if (prompt) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    while ((c = getc(stdin)) != EOF && c != '\n') {
        static const char zero[] = "\\x00"; /* as messages print it */
        if (length >= TERMINAL_LINE - sizeof zero)
            buffer[length - 1] = '?';
        else if (c)
            buffer[length++] = (char)c;
        else
            length = (size_t)(nk_put_text(buffer + length, zero) - buffer);
    }
    if (c == EOF && ferror(stdin)) {
        const int failure = errno;
        struct stat about = {0};
        (void)fstat(fileno(stdin), &about);
        /* A disconnected terminal is at its end. It is still a device, although isatty denies that it is a terminal. */
        if (failure != EIO || !S_ISCHR(about.st_mode))
            return nk_fail(error, NK_E_READ, 0, "cannot read standard input: %s", nk_system_error(failure).s);
    }
    if (c == EOF && (ferror(stdin) || !length))
        return NK_OK;
    buffer[length] = '\0';
    terminal_clean(buffer);
    *line = buffer;
    return NK_OK;
}
