#include "player/commands/query.h"

#include "common/base/distance.h"
#include "common/base/strbuf.h"
#include "common/play/describe.h"
#include "common/system/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All lengths are in pixels. A move ends in the middle of an empty square, and its label is on the side that it comes
 * from. Moves to the same square come from different directions, so labels cover neither pieces nor one another. */
enum { SIDE = 100, RADIUS = 33, OFFSET = 33, MARGIN = 40, CAPTION = 90 };

/* Attributes for each result. The colours repeat what the labels and the dashes show. */
static const char *const lines[] = {
    [NK_WIN - NK_LOSS] = "stroke=\"#15702f\"",
    [NK_DRAW - NK_LOSS] = "stroke=\"#6b6b6b\" stroke-dasharray=\"9 4\"",
    [0] = "stroke=\"#b3261e\" stroke-dasharray=\"2 4\"",
};
#define MIDDLE "text-anchor=\"middle\""

/* The middle of a square. */
static int across(const struct nk_rules *rules, int square)
{
    return MARGIN + square % rules->board.width * SIDE + SIDE / 2;
}

static int down(const struct nk_rules *rules, int square)
{
    return MARGIN + (rules->board.height - 1 - square / rules->board.width) * SIDE + SIDE / 2;
}

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

static void draw_board(struct nk_strbuf *out, const struct nk_rules *rules, const struct answer *answer)
{
    const uint64_t black = nk_pieces_of(answer->position, answer->to_move, NK_BLACK);
    const uint64_t white = nk_pieces_of(answer->position, answer->to_move, NK_WHITE);
    for (int s = 0; s < rules->squares; s++) {
        const int x = across(rules, s), y = down(rules, s);
        nk_strbuf_add(out,
                      "<rect class=\"square\" fill=\"#fbfaf6\" stroke=\"#b9b4a6\" x=\"%d\" y=\"%d\" "
                      "width=\"%d\" height=\"%d\"/>\n",
                      x - SIDE / 2, y - SIDE / 2, SIDE, SIDE);
        if ((black | white) & nk_bit(s))
            nk_strbuf_add(
                out,
                "<circle class=\"%s\" fill=\"%s\" stroke=\"#222\" stroke-width=\"4\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n",
                black & nk_bit(s) ? "black" : "white", black & nk_bit(s) ? "#222" : "#fff", x, y, RADIUS);
    }
    for (int x = 0; x < rules->board.width; x++)
        nk_strbuf_add(out, "<text " MIDDLE " x=\"%d\" y=\"%d\">%c</text>\n", across(rules, x),
                      MARGIN + rules->board.height * SIDE + 20, 'a' + x);
    for (int y = 0; y < rules->board.height; y++)
        nk_strbuf_add(out, "<text " MIDDLE " x=\"%d\" y=\"%d\">%d</text>\n", MARGIN / 2,
                      down(rules, y * rules->board.width) + 5, y + 1);
}

/* A line from the piece to the square, with a label. */
static void draw_move(struct nk_strbuf *out, const struct nk_rules *rules, const struct nk_move_value *move,
                      bool best)
{
    char label[8] = "D";
    const int x = across(rules, move->move.from), y = down(rules, move->move.from);
    const int to_x = across(rules, move->move.to), to_y = down(rules, move->move.to);
    const int dx = sign(to_x - x), dy = sign(to_y - y);
    const int start = dx && dy ? RADIUS * 7 / 10 : RADIUS; /* the edge of the piece */
    const int label_x = to_x - dx * OFFSET, label_y = to_y - dy * OFFSET;
    if (move->value.result != NK_DRAW)
        snprintf(label, sizeof label, "%c%d", move->value.result == NK_WIN ? 'W' : 'L',
                 nk_moves_in(move->value.plies));
    const int width = 8 + 7 * (int)strlen(label);
    nk_strbuf_add(out, "<g class=\"move %s%s\"><title>%s %s</title>\n", nk_result_name(move->value.result),
                  best ? " best" : "", nk_move_text(rules, move->move).s, nk_value_text(move->value).s);
    nk_strbuf_add(out, "<line %s stroke-width=\"%d\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>",
                  lines[move->value.result - NK_LOSS], best ? 5 : 2, x + dx * start, y + dy * start, to_x,
                  to_y);
    nk_strbuf_add(out, "<circle cx=\"%d\" cy=\"%d\" r=\"6\"/>\n", to_x, to_y);
    nk_strbuf_add(out, "<rect fill=\"#fff\" %s x=\"%d\" y=\"%d\" width=\"%d\" height=\"18\" rx=\"4\"/>",
                  lines[move->value.result - NK_LOSS], label_x - width / 2, label_y - 9, width);
    nk_strbuf_add(out, "<text font-size=\"12\" " MIDDLE "%s x=\"%d\" y=\"%d\">%s</text></g>\n",
                  best ? " font-weight=\"bold\"" : "", label_x, label_y + 4, label);
}

/* No text comes from outside: a position and moves in the notation of this program need no escapes in XML. */
static void draw(struct nk_strbuf *out, const struct nk_rules *rules, const struct answer *answer)
{
    char text[ANSWER_TEXT];
    const int board = MARGIN + rules->board.height * SIDE, width = 2 * MARGIN + rules->board.width * SIDE;
    const struct nk_text position = nk_position_text(rules, answer->position, answer->to_move);
    answer_format(answer, text);
    nk_strbuf_add(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "role=\"img\" font-family=\"sans-serif\" font-size=\"14\" fill=\"#222\">\n<title>%s</title>\n"
        "<desc>%s</desc>\n",
        width, board + CAPTION, width, board + CAPTION, position.s, text);
    nk_strbuf_add(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    draw_board(out, rules, answer);
    /* The best moves last, so that they are on top. */
    for (int m = answer->count - 1; m >= 0; m--)
        draw_move(out, rules, &answer->moves[m],
                  !nk_value_better(answer->moves[0].value, answer->moves[m].value));
    nk_strbuf_add(out, "<text x=\"%d\" y=\"%d\">%s</text>\n", MARGIN, board + 45, text);
    nk_strbuf_add(out, "<text font-family=\"monospace\" font-size=\"13\" x=\"%d\" y=\"%d\">%s</text>\n",
                  MARGIN, board + 65, position.s);
    nk_strbuf_add(out, "<text x=\"%d\" y=\"%d\">W: wins, D: draws, L: loses, in moves</text>\n", MARGIN,
                  board + 83);
    nk_strbuf_add(out, "</svg>\n");
}

enum nk_status query_svg_write(struct nk_writer *file, const struct nk_rules *rules,
                               const struct answer *answer, struct nk_error *error)
{
    struct nk_strbuf text = {NULL, 0, 0};
    draw(&text, rules, answer);
    text = (struct nk_strbuf){malloc(text.length + 1), text.length + 1, 0};
    enum nk_status status = text.bytes ? NK_OK : nk_fail_memory(error);
    if (!status) {
        draw(&text, rules, answer);
        status = nk_writer_append(file, text.bytes, text.length, error);
    }
    free(text.bytes);
    if (!status)
        return nk_writer_close(file, NULL, error);
    nk_writer_abandon(file);
    return status;
}
