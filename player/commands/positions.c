#include "player/commands/positions.h"

#include "common/base/blank.h"
#include "common/game/notation.h"
#include "player/game/fair.h"

#include <string.h>

/* A part of a text, without blanks. */
struct word {
    const char *begin;
    size_t length; /* 0 at the end of the text */
};

static struct word first_word(const char *text)
{
    static const char mark[] = "\xef\xbb\xbf"; /* some editors begin UTF-8 texts with it */
    if (strncmp(text, mark, strlen(mark)) == 0)
        text += strlen(mark);
    text += strspn(text, NK_BLANKS NK_LINE_ENDS);
    return (struct word){text, strcspn(text, NK_BLANKS NK_LINE_ENDS "#")};
}

static struct word next_word(struct word word)
{
    return first_word(word.begin + word.length);
}

/* Copies a word. What does not fit is omitted: a word longer than any position is invalid without it, too. */
static void append_word(char text[NK_POSITION_ROOM + 2], struct word word)
{
    const size_t length = strlen(text), room = NK_POSITION_ROOM + 1 - length;
    const size_t part = word.length < room ? word.length : room;
    memcpy(text + length, word.begin, part);
    text[length + part] = '\0';
}

static enum nk_status read_move(const struct nk_rules *rules, struct word word, struct nk_move *move,
                                struct nk_error *error)
{
    char text[NK_POSITION_ROOM + 2] = "";
    append_word(text, word);
    return nk_move_parse(rules, text, move, error);
}

/* Reads the position that begins with this word; *word becomes its last word. The error refers to the text. */
static enum nk_status read_position_words(const struct nk_rules *rules, const char *text, struct word *word,
                                          struct nk_position *position, enum nk_colour *to_move,
                                          struct nk_error *error)
{
    char bytes[NK_POSITION_ROOM + 2] = "";
    struct nk_error why;
    const struct word first = *word, second = next_word(first);
    append_word(bytes, first);
    const size_t length = strlen(bytes);
    /* After ranks without it, the next word is the side to move. */
    if (strchr(bytes, '/') && !strchr(bytes, '_') && second.length) {
        append_word(bytes, (struct word){" ", 1});
        append_word(bytes, second);
        *word = second;
    }
    const enum nk_status status = nk_position_parse(rules, bytes, position, to_move, &why);
    if (!status)
        return NK_OK;
    size_t at = why.at;
    if (at > length + 1)
        at += (size_t)(second.begin - first.begin) - length - 1;
    if (at)
        at += (size_t)(first.begin - text);
    return nk_fail(error, status, at, "%s", why.text);
}

/* Reads the name of a fair start. *position and *to_move are unchanged, and so is *is_name, if the word is none. */
static enum nk_status read_fair(struct nk_table *table, const char *text, struct word word,
                                struct nk_fair_choice *fair, bool *is_name, struct nk_position *position,
                                enum nk_colour *to_move, struct nk_error *error)
{
    char name[NK_POSITION_ROOM + 2] = "";
    struct nk_error why;
    uint64_t number;
    append_word(name, word);
    if (!nk_fair_is_name(name))
        return NK_OK;
    const enum nk_status status = nk_fair_named(table, name, &fair->random, position, &number, &why);
    if (status)
        return nk_fail(error, status, status == NK_E_SYNTAX ? (size_t)(word.begin - text) + 1 : 0, "%s",
                       why.text);
    if (!strchr(name, ':'))
        fair->number = number;
    *is_name = true;
    *to_move = NK_BLACK;
    return NK_OK;
}

bool nk_position_text_is_blank(const char *text)
{
    return !first_word(text).length;
}

bool nk_position_text_begins_with_move(const struct nk_rules *rules, const char *text)
{
    struct nk_move move;
    const struct word word = first_word(text);
    return word.length && read_move(rules, word, &move, NULL) == NK_OK;
}

enum nk_status nk_position_text_read(struct nk_table *table, const char *text, struct nk_fair_choice *fair,
                                     struct nk_position *position, enum nk_colour *to_move,
                                     struct nk_error *error)
{
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_position read = *position;
    enum nk_colour colour = *to_move;
    struct nk_move move;
    struct nk_error why;
    struct word word = first_word(text);
    if (!nk_position_text_begins_with_move(rules, text)) {
        bool is_fair = false;
        enum nk_status status = read_fair(table, text, word, fair, &is_fair, &read, &colour, error);
        if (!status && !is_fair)
            status = read_position_words(rules, text, &word, &read, &colour, error);
        if (status)
            return status;
        word = next_word(word);
    }
    for (; word.length; word = next_word(word)) {
        const size_t begin = (size_t)(word.begin - text);
        if (read_move(rules, word, &move, &why))
            return nk_fail(error, NK_E_SYNTAX, begin + (why.at ? why.at : 1), "%s, in a move", why.text);
        if (nk_move_check(rules, read, colour, move, &why))
            return nk_fail(error, NK_E_MOVE, begin + 1, "illegal move '%s': %s", nk_move_text(rules, move).s,
                           why.text);
        read = nk_position_after(read, move);
        colour = nk_colour_other(colour);
    }
    *position = read;
    *to_move = colour;
    return NK_OK;
}
