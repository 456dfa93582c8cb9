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

const char *nk_paint(enum nk_result result, bool colour, const char *text, char out[NK_PAINTED_TEXT])
{
    const int code = result == NK_WIN ? 32 : result == NK_LOSS ? 31 : 33;
    if (colour)
        snprintf(out, NK_PAINTED_TEXT, "\033[%dm%s\033[0m", code, text);
    else
        snprintf(out, NK_PAINTED_TEXT, "%s", text);
    return out;
}

enum paint { PAINT_EMPTY, PAINT_BLACK, PAINT_WHITE, PAINT_LAST };

/* Writes a character, as a string; returns the end of what it has written. */
static char *put_painted(char *out, const char *c, enum paint paint, bool colour)
{
    static const char *const codes[] = {
        [PAINT_EMPTY] = "2", [PAINT_BLACK] = "1;31", [PAINT_WHITE] = "1;36", [PAINT_LAST] = "1;33"};
    if (colour)
        out = nk_put_text(nk_put_text(nk_put_text(out, "\033["), codes[paint]), "m");
    out = nk_put_text(out, c);
    return colour ? nk_put_text(out, "\033[0m") : out;
}

size_t nk_board_format(const struct nk_rules *rules, struct nk_position position, enum nk_colour to_move,
                       struct nk_board_view view, char text[NK_BOARD_TEXT])
{
    const uint64_t black = nk_pieces_of(position, to_move, NK_BLACK);
    const uint64_t white = nk_pieces_of(position, to_move, NK_WHITE);
    const uint64_t from = view.last ? nk_bit(view.last->from) : 0;
    const uint64_t to = view.last ? nk_bit(view.last->to) : 0;
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
            if (marked || square == to)
                out = put_painted(out, marked ? "]" : "[", PAINT_LAST, view.colour);
            else
                *out++ = ' ';
            marked = square == to;
            if (black & square)
                out = put_painted(out, nk_piece_text(NK_BLACK, view.unicode), PAINT_BLACK, view.colour);
            else if (white & square)
                out = put_painted(out, nk_piece_text(NK_WHITE, view.unicode), PAINT_WHITE, view.colour);
            else if (square == from)
                out = put_painted(out, "+", PAINT_LAST, view.colour);
            else
                out = put_painted(out, ".", PAINT_EMPTY, view.colour);
        }
        if (marked)
            out = put_painted(out, "]", PAINT_LAST, view.colour);
        *out++ = '\n';
    }
    out = nk_put_text(out, "   ");
    for (int x = 0; x < rules->board.width; x++) {
        *out++ = ' ';
        *out++ = (char)('a' + (view.flip ? rules->board.width - 1 - x : x));
    }
    *out++ = '\n';
    *out = '\0';
    return (size_t)(out - text);
}

void nk_show_board(const struct nk_rules *rules, struct nk_position position, enum nk_colour to_move,
                   struct nk_board_view view)
{
    char text[NK_BOARD_TEXT];
    const size_t length = nk_board_format(rules, position, to_move, view, text);
    fwrite(text, 1, length, stdout);
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
