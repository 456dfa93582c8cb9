/* Positions as text, beyond what include/neutreeko.h has. */
#ifndef NK_NOTATION_H
#define NK_NOTATION_H

#include "common/game/position.h"

#include <assert.h>

/* Room for the text of any move or position, with the terminating zero. */
enum {
    NK_MOVE_ROOM = 6,                                    /* "b1-c1" */
    NK_POSITION_ROOM = NK_MAX_SQUARES + NK_MAX_SIDE + 2, /* squares, slashes, a space, the side to move */
};
static_assert(NK_POSITION_ROOM <= sizeof(struct nk_text), "the longest text");

/* What a text begins with. */
enum nk_position_kind {
    NK_POSITION_SQUARES, /* a position, legal or not: by its squares, `standard` or the number of a fair start */
    NK_POSITION_START, /* `standard`, for a board that has no start position */
    NK_POSITION_FAIR   /* `fair` without a number, for any fair start */
};

struct nk_read_position {
    enum nk_position_kind kind;
    struct nk_position position; /* of NK_POSITION_SQUARES */
    enum nk_colour to_move;
    size_t length; /* of the text up to what follows: the end, a blank, a comma or a comment from '#' on */
};

/* Reads the position that a text begins with, in any notation that include/neutreeko.h describes: all other functions
 * that read positions call this one. *error may be NULL. NK_E_SYNTAX, with the place, if the text does not begin with
 * a position of the board; NK_E_POSITION if the board has not so many fair starts; for a fair start also
 * NK_E_UNSUPPORTED if the table has no trap values, NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_position_read(const struct nk_rules *rules, const char *text, struct nk_read_position *read,
                                struct nk_error *error);

/* Reads a text that is a position, legal or not (see nk_position_check), and nothing else. The errors of
 * nk_position_read, and NK_E_POSITION for `standard` if the board has no start position. */
enum nk_status nk_position_parse_unchecked(const struct nk_rules *rules, const char *text,
                                           struct nk_position *position, enum nk_colour *to_move,
                                           struct nk_error *error);

/* Whether a text begins as links of the page do. Only the page reads these; other readers report the error. */
bool nk_is_link(const char *text);
#define NK_LINK_ERROR "this is a link of the page: open it there, or copy the position from there"

/* A character of a text of people, and what it stands for in moves, positions and records. */
struct nk_character {
    size_t bytes; /* 1 for a byte of any other character */
    char c;       /* '\0' if it stands for nothing; its byte if it stands for itself */
};

/* The character at `text`, which is before `end`: see include/neutreeko.h for those that stand for others. */
struct nk_character nk_character_at(const char *text, const char *end);

/* The length of the number of a move that a word begins with, such as "1.", "1...", "..." or "1)", or that the whole
 * word is, such as "1"; else 0. */
size_t nk_move_number_length(const char *text, size_t length);

/* Copies a text of `length` bytes with what include/neutreeko.h lets stand for other characters: the dashes, the
 * no-break space and the circles of a board become ASCII characters; joiners and byte order marks are omitted. Returns
 * the length of the copy, which is not longer than the text and may take its place. */
size_t nk_normalise(const char *text, size_t length, char *normalised);

#endif
