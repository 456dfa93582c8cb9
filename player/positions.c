/* Positions as people write them, for arguments, options and lines of standard input. */

#include "player/player.h"

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/play/play.h"
#include "common/table/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the parts of a text ---- */

enum { MOVE_WORD = NK_POSITION_ROOM + 2 }; /* bytes of a word that is read as a move */

/* A part of a text, without blanks. */
struct word {
    const char *begin;
    size_t length; /* 0 at the end of the text */
};

/* Whether a character is between words. */
static bool is_between(char c)
{
    return !c || c == ',' || nk_is_blank(c) || nk_is_line_end(c);
}

/* Skips what is between words. */
static const char *skip_between(const char *text, const char *all)
{
    struct nk_character next;
    while (text < all && is_between((next = nk_character_at(text, all)).c))
        text += next.bytes;
    return text;
}

/* The first word after what is between words. */
static struct word first_word(const char *text)
{
    const char *const all = text + strlen(text);
    struct nk_character next;
    text = skip_between(text, all);
    const char *end = text;
    while (end < all && *end != '#' && (!(next = nk_character_at(end, all)).c || !is_between(next.c)))
        end += next.bytes;
    return (struct word){text, (size_t)(end - text)};
}

static struct word next_word(struct word word)
{
    return first_word(word.begin + word.length);
}

/* Reads a move, and copies its word. What does not fit is omitted: a word longer than any position is invalid without
 * it, too. */
static enum nk_status read_move(const struct nk_rules *rules, struct word word, char typed[MOVE_WORD],
                                struct nk_move *move, struct nk_error *error)
{
    snprintf(typed, MOVE_WORD, "%.*s", (int)word.length, word.begin);
    return nk_move_parse(rules, typed, move, error);
}

bool position_is_blank(const char *text)
{
    text = skip_between(text, text + strlen(text));
    return !*text || *text == '#';
}

/* As position_is_random, of a word. */
static enum random_position read_random(struct word word)
{
    static const char *const words[] = {
        [RANDOM_FAIR] = "fair", [RANDOM_DRAWN] = "drawn", [RANDOM_ANY] = "random"};
    char folded[MOVE_WORD];
    /* Most positions begin with a digit, which shows it at once. */
    if (word.length > sizeof folded || !word.length || nk_is_digit(*word.begin))
        return RANDOM_NONE;
    const size_t length = nk_fold_unicode_to_ascii(word.begin, word.length, folded);
    for (int kind = RANDOM_FAIR; kind <= RANDOM_ANY; kind++)
        if (length == strlen(words[kind]) && nk_has_prefix(words[kind], folded, length))
            return (enum random_position)kind;
    return RANDOM_NONE;
}

enum random_position position_is_random(const char *text)
{
    return read_random(first_word(text));
}

/* Skips the number of a move, such as "1.", "1)" or a word "1". */
static struct word skip_number(struct word word)
{
    const size_t number = nk_move_number_length(word.begin, word.length);
    if (number == word.length && number)
        return next_word(word);
    return (struct word){word.begin + number, word.length - number};
}

/* Whether a text begins with what is meant as a move, which is played from the position before the text: with a file
 * and a number, or the other way round. The first rank of a position, which may do so too, ends with a slash. A number
 * of a move alone, such as 1. but not 1, belongs to the moves as well. */
static bool begins_with_move(const struct nk_rules *rules, const char *text)
{
    char typed[MOVE_WORD];
    struct nk_move move;
    const struct word begin = first_word(text), word = skip_number(begin);
    if (!word.length)
        return strspn(begin.begin, "0123456789") < begin.length;
    if (word.length < 2 || memchr(word.begin, '/', word.length))
        return false;
    const char first = word.begin[0], second = word.begin[1];
    return read_move(rules, word, typed, &move, NULL) == NK_OK ||
           (strchr("abcdefghABCDEFGH", first) && second >= '0' && second <= '9');
}

/* ---- texts ---- */

enum nk_status position_fair_starts(struct nk_table *table, struct nk_position **starts, uint64_t *count,
                                    struct nk_error *error)
{
    const enum nk_status status = nk_fair_starts(table, starts, count, error);
    if (status || *count)
        return status;
    struct nk_position none;
    free(*starts);
    return nk_fair_start(table, 1, &none, error); /* which says that there is none */
}

enum nk_status position_choose(struct nk_table *table, bool drawn, uint64_t *random,
                               struct nk_position *position, struct nk_error *error)
{
    /* Random placements to try before the search fails. Of the boards in docs/BOARDS.md that have drawn positions, the
     * one with the fewest needs 40,000 on average. */
    static const uint32_t max_tries = 10000000;
    const struct nk_summary *summary = nk_table_summary(table);
    if (drawn && summary->draws <= summary->stalemates)
        return nk_fail(
            error, NK_E_POSITION, 0,
            "no drawn start position: with optimal play, none of the %" PRIu64
            " legal positions of this board is a draw in which the game continues; use 'standard' or "
            "'random'",
            summary->legal);
    const struct nk_index *index = table->index;
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_move moves[NK_MAX_MOVES];
    for (uint32_t i = 0; i < max_tries; i++) {
        const uint64_t mover = index->squares[nk_random_below(random, index->configurations)];
        const uint64_t other = index->squares[nk_random_below(random, index->configurations)];
        const struct nk_position found = {mover, other};
        if (mover & other || nk_rules_won(rules, mover) || !nk_position_moves(rules, found, moves))
            continue;
        if (drawn) {
            struct nk_value value;
            const enum nk_status status = nk_table_value(table, found, &value, error);
            if (status)
                return status;
            if (value.result != NK_DRAW)
                continue;
        }
        *position = found;
        return NK_OK;
    }
    return nk_fail(error, NK_E_POSITION, 0, "no start position found in %u tries", max_tries);
}

/* Chooses the position that a word for a random one asks for, in which Black is to move. */
static enum nk_status choose_position(struct nk_table *table, enum random_position kind,
                                      struct position_texts *read, struct nk_error *error)
{
    static const uint64_t sequence =
        UINT64_MAX; /* of random numbers; the games of a match have those from 0 */
    static uint64_t random;
    static bool begun;
    struct nk_position *starts;
    uint64_t count;
    enum nk_status status;
    if (!begun)
        random = nk_random_split(common_options.seed, sequence);
    begun = true;
    read->to_move = NK_BLACK;
    if (kind != RANDOM_FAIR) {
        if ((status = position_choose(table, kind == RANDOM_DRAWN, &random, &read->position, error)))
            return status;
        nk_report("using the position '%s'",
                  nk_position_text(nk_table_rules(table), read->position, NK_BLACK).s);
        return NK_OK;
    }
    if ((status = position_fair_starts(table, &starts, &count, error)))
        return status;
    const uint64_t chosen = nk_random(&random) % count;
    read->position = starts[chosen];
    free(starts);
    nk_report("using the fair start 'fair:%" PRIu64 "'", chosen + 1);
    return NK_OK;
}

/* Reads a move, as read_move does. It may have up to three words, as in "b1 - c1"; *word becomes the last of them. */
static enum nk_status read_words_of_move(const struct nk_rules *rules, struct word *word,
                                         char typed[MOVE_WORD], struct nk_move *move, struct nk_error *error)
{
    enum { MORE_WORDS = 2 };
    char wider[MOVE_WORD];
    const enum nk_status status = read_move(rules, *word, typed, move, error);
    struct word last = *word;
    for (int more = 0; status && more < MORE_WORDS && (last = next_word(last)).length; more++) {
        const struct word all = {word->begin, (size_t)(last.begin - word->begin) + last.length};
        if (all.length < MOVE_WORD && !read_move(rules, all, wider, move, NULL)) {
            *word = last;
            return NK_OK;
        }
    }
    return status;
}

/* Plays the moves from this word on. */
static enum nk_status read_moves(const struct nk_rules *rules, struct word word, struct position_texts *read,
                                 struct nk_error *error)
{
    enum {
        SQUARE = 2
    }; /* the length of one, which is all that an argument without quotation marks has of b1 c1 */
    char typed[MOVE_WORD];
    struct nk_move move;
    struct nk_error why;
    for (word = skip_number(word); word.length; word = skip_number(next_word(word))) {
        if (read_words_of_move(rules, &word, typed, &move, &why))
            return nk_fail(error, NK_E_MOVE, 0, "invalid move '%s': character %zu: %s%s", nk_quote(typed).s,
                           why.at, why.text,
                           word.length == SQUARE ? ", as in b1-c1 or, quoted, 'b1 c1'" : "");
        if (nk_move_check(rules, read->position, read->to_move, move, &why))
            return nk_fail(error, NK_E_MOVE, 0, "illegal move '%s': %s", nk_move_text(rules, move).s,
                           why.text);
        read->position = nk_position_after(read->position, move);
        read->to_move = nk_colour_other(read->to_move);
    }
    return NK_OK;
}

/* ---- arguments ---- */

/* Sets the position to the start of the game. */
static enum nk_status read_game_start(struct nk_table *table, struct position_texts *read,
                                      struct nk_error *error)
{
    static bool proposed;
    const struct nk_rules *rules = nk_table_rules(table);
    enum nk_status status;
    struct nk_value value;
    read->to_move = NK_BLACK;
    if (nk_rules_start(rules, &read->position))
        return NK_OK;
    if ((status = nk_suggested_start(table, &read->position, error)) ||
        (status = nk_table_value(table, read->position, &value, error)))
        return status;
    if (!proposed) {
        nk_report("this board has no standard start position; using '%s', in which Black %s",
                  nk_position_text(rules, read->position, NK_BLACK).s, nk_value_text(value).s);
    }
    proposed = true;
    return NK_OK;
}

/* Reads the position that begins with this word; *word becomes all of it. The error refers to the text. */
static enum nk_status read_position_at(struct nk_table *table, struct position_texts *read, const char *text,
                                       struct word *word, struct nk_error *error)
{
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_read_position found;
    struct nk_error why;
    const enum random_position kind = read_random(*word);
    if (kind)
        return choose_position(table, kind, read, error);
    const enum nk_status status = nk_position_read(rules, word->begin, &found, &why);
    if (status)
        return nk_fail(error, status, why.at ? why.at + nk_characters(text, (size_t)(word->begin - text)) : 0,
                       "%s", why.text);
    word->length = found.length;
    if (found.is_missing_start)
        return read_game_start(table, read, error);
    read->position = found.position;
    read->to_move = found.to_move;
    return nk_position_check(rules, found.position, found.to_move, error);
}

enum nk_status position_read(struct nk_table *table, struct position_texts *read, struct nk_error *error)
{
    const struct nk_rules *rules = nk_table_rules(table);
    const char *const *texts = read->texts;
    const bool has_position = read->count && !begins_with_move(rules, *texts);
    int count = has_position; /* of the texts with this position and the moves after it */
    while (count < read->count && begins_with_move(rules, texts[count]))
        count++;
    read->texts += count;
    read->count -= count;
    read->wrong = NULL;
    enum nk_status status = has_position ? NK_OK : read_game_start(table, read, error);
    for (int i = 0; i < count && !status; i++) {
        struct word word = first_word(texts[i]);
        if (has_position && i == 0) {
            status = read_position_at(table, read, texts[i], &word, error);
            word = next_word(word);
        }
        if (!status)
            status = read_moves(rules, word, read, error);
        if (status == NK_E_SYNTAX || status == NK_E_POSITION || status == NK_E_MOVE)
            read->wrong = texts[i];
    }
    return status;
}

bool position_is_missing(const char *wrong, const struct nk_error *error)
{
    return error->status == NK_E_POSITION && position_is_random(wrong);
}

const char *position_error(const struct nk_rules *rules, const char *wrong, const struct nk_error *error,
                           char out[POSITION_ERROR])
{
    char place[40] = "";
    if (position_is_missing(wrong, error))
        return error->text;
    if (error->at)
        snprintf(place, sizeof place, "character %zu: ", error->at);
    if (error->status == NK_E_MOVE)
        snprintf(out, POSITION_ERROR, "%s", error->text);
    else
        snprintf(out, POSITION_ERROR, "invalid position '%s' for a %dx%d board with %d pieces per side: %s%s",
                 nk_quote(wrong).s, rules->board.width, rules->board.height, rules->board.pieces, place,
                 error->text);
    return out;
}

int position_read_start(struct nk_table *table, const char *text, struct nk_position *position,
                        enum nk_colour *to_move)
{
    struct position_texts read = {.texts = &text, .count = text != NULL};
    char why[POSITION_ERROR];
    struct nk_error error;
    if (position_read(table, &read, &error)) {
        if (read.wrong && !position_is_missing(read.wrong, &error))
            return nk_usage_error("%s", position_error(nk_table_rules(table), read.wrong, &error, why));
        return report_error(&error);
    }
    *position = read.position;
    *to_move = read.to_move;
    return EXIT_SUCCESS;
}
