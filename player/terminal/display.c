#include "player/terminal/display.h"

#include "common/base/strbuf.h"
#include "common/system/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool nk_display_has_colour(void)
{
    const char *no_color = getenv("NO_COLOR");
    return nk_system_is_screen(stdout) && !(no_color && *no_color);
}

bool nk_display_has_unicode(void)
{
    return nk_display_has_colour() && nk_system_has_utf8();
}

const char *nk_piece_text(enum nk_colour colour, bool unicode)
{
    static const char *const texts[2][2] = {[NK_BLACK] = {"b", "\u25cf"}, [NK_WHITE] = {"w", "\u25cb"}};
    return texts[colour][unicode];
}

struct nk_text nk_paint(enum nk_result result, bool colour, const char *text)
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

/* The pieces and marks of a board. */
struct squares {
    uint64_t black, white, from, to;
};

static struct squares find_squares(struct nk_position position, enum nk_colour to_move,
                                   const struct nk_board_view *view)
{
    return (struct squares){.black = nk_pieces_of(position, to_move, NK_BLACK),
                            .white = nk_pieces_of(position, to_move, NK_WHITE),
                            .from = view->last ? nk_bit(view->last->from) : 0,
                            .to = view->last ? nk_bit(view->last->to) : 0};
}

/* Writes what is on a square; returns the end of it. */
static char *put_square(char *out, const struct squares *squares, uint64_t square,
                        const struct nk_board_view *view)
{
    if (squares->black & square)
        return put_painted(out, nk_piece_text(NK_BLACK, view->unicode), PAINT_BLACK, view->colour);
    if (squares->white & square)
        return put_painted(out, nk_piece_text(NK_WHITE, view->unicode), PAINT_WHITE, view->colour);
    if (square == squares->from)
        return put_painted(out, "+", PAINT_MARK, view->colour);
    return put_painted(out, ".", PAINT_EMPTY, view->colour);
}

void nk_show_board(const struct nk_rules *rules, struct nk_position position, enum nk_colour to_move,
                   struct nk_board_view view)
{
    char text[sizeof "\033[1;36m\u25cf\033[0m" * 2 * (NK_MAX_SIDE + 1) * (NK_MAX_SIDE + 1) + 1];
    const struct squares squares = find_squares(position, to_move, &view);
    char *out = text;
    for (int y = rules->board.height - 1; y >= 0; y--) {
        const int rank = view.flip ? rules->board.height - 1 - y : y;
        bool marked = false; /* the previous square is where the last move ended */
        *out++ = ' ';
        *out++ = (char)('1' + rank);
        *out++ = ' ';
        for (int x = 0; x < rules->board.width; x++) {
            const uint64_t square =
                nk_bit(rules->board.width * rank + (view.flip ? rules->board.width - 1 - x : x));
            if (marked || square == squares.to)
                out = put_painted(out, marked ? "]" : "[", PAINT_MARK, view.colour);
            else
                *out++ = ' ';
            marked = square == squares.to;
            out = put_square(out, &squares, square, &view);
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

void nk_show_game(const struct nk_game *game, int ply, struct nk_board_view view)
{
    struct nk_move last;
    if (ply) {
        last = nk_game_move_at(game, ply - 1);
        view.last = &last;
    }
    nk_show_board(nk_game_rules(game), nk_game_position_at(game, ply), nk_game_to_move_at(game, ply), view);
}
