/* Writing the records of games, in the format that include/neutreeko.h describes. */

#include "common/game/game.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- headers ---- */

const char *nk_outcome_text(enum nk_outcome outcome)
{
    static const char *const texts[] = {
        [NK_OUTCOME_OPEN] = "*",
        [NK_OUTCOME_BLACK] = "0-1",
        [NK_OUTCOME_WHITE] = "1-0",
        [NK_OUTCOME_DRAW] = "1/2-1/2",
    };
    return (unsigned)outcome <= NK_OUTCOME_DRAW ? texts[outcome] : "*";
}

enum nk_outcome nk_outcome_of(const struct nk_game *game, enum nk_outcome otherwise)
{
    const enum nk_colour none = (enum nk_colour)(NK_WHITE + 1);
    enum nk_colour winner = none;
    if (nk_game_end(game, &winner) == NK_END_NONE)
        return otherwise;
    if (winner == none)
        return NK_OUTCOME_DRAW;
    return nk_outcome_won_by(winner);
}

void nk_header_set(char text[NK_HEADER_TEXT], const char *value)
{
    assert(text && value);
    size_t used = 0;
    text[0] = '\0';
    while (*value) {
        char shown[NK_ESCAPED];
        value = nk_replace_first(value, shown);
        if (used + strlen(shown) >= NK_HEADER_TEXT)
            break;
        used = (size_t)(nk_put_text(text + used, shown) - text);
    }
}

static void add_header(struct nk_strbuf *record, const char *name, const char *value)
{
    if (!*value)
        return;
    nk_strbuf_add(record, "[%s \"", name);
    for (; *value; value++)
        nk_strbuf_add(record, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
    nk_strbuf_add(record, "\"]\n");
}

static void add_start(const struct nk_game *game, struct nk_strbuf *record)
{
    const struct nk_rules *rules = nk_game_rules(game);
    const struct nk_position first = nk_game_position_at(game, 0);
    const enum nk_colour to_move = nk_game_to_move_at(game, 0);
    struct nk_position start;
    if (nk_rules_start(rules, &start) && nk_position_equal(start, first) && to_move == NK_BLACK)
        return;
    add_header(record, "Start", nk_position_text(rules, first, to_move).s);
}

static void add_headers(const struct nk_game *game, const struct nk_headers *headers,
                        struct nk_strbuf *record)
{
    add_header(record, "Event", headers->event);
    add_header(record, "Date", headers->date);
    add_header(record, "Round", headers->round);
    add_header(record, "White", headers->players[NK_WHITE]);
    add_header(record, "Black", headers->players[NK_BLACK]);
    add_header(record, "Result", nk_outcome_text(nk_outcome_of(game, headers->outcome)));
    if (nk_outcome_of(game, headers->outcome) != NK_OUTCOME_OPEN)
        add_header(record, "Termination", headers->termination);
    add_header(record, "Board", nk_board_name(&nk_game_rules(game)->board).s);
    add_start(game, record);
    nk_strbuf_add(record, "\n");
}

/* ---- moves ---- */

enum { INDENT = 2, MOST_INDENT = 20, NONE = -1 /* no node */ };

/* What is being written. */
struct record_writer {
    const struct nk_tree *tree;
    const struct nk_rules *rules;
    struct nk_strbuf *record;
    enum nk_colour first; /* the side to move at the start */
    size_t depth;         /* of the variation */
    bool needs_no_space;  /* at the beginning of a line, or of a variation, which begins one */
    bool follows_variation;
    bool continues; /* a move of Black was just written, so that White's needs no number */
};

static void add_word(struct record_writer *writer, const char *before, const char *word)
{
    nk_strbuf_add(writer->record, "%s%s%s", writer->needs_no_space ? "" : " ", before, word);
    writer->needs_no_space = writer->follows_variation = false;
}

/* Begins a line, unless this is at the beginning of one. */
static void begin_line(struct record_writer *writer)
{
    const size_t indent = writer->depth * INDENT;
    if (!writer->needs_no_space)
        nk_strbuf_add(writer->record, "\n");
    for (size_t blanks = indent < MOST_INDENT ? indent : MOST_INDENT; blanks; blanks--)
        nk_strbuf_add(writer->record, " ");
    writer->needs_no_space = true;
}

/* Writes the number of the move that follows a node. In the game, a move of Black begins a line, as does one after a
 * variation. */
static void add_number(struct record_writer *writer, int ply)
{
    const int half = ply + (writer->first == NK_WHITE);
    if (half % 2 && writer->continues) {
        writer->continues = false;
        return;
    }
    if (!writer->depth && (half % 2 == 0 || writer->follows_variation))
        begin_line(writer);
    add_word(writer, "", nk_text_of("%d.%s", half / 2 + 1, half % 2 ? ".." : "").s);
    writer->continues = half % 2 == 0;
}

/* A comment with a closing brace extends to the end of its line. */
static void add_comment(struct record_writer *writer, const char *comment)
{
    if (!*comment)
        return;
    if (!strchr(comment, '}')) {
        add_word(writer, "{", comment);
        nk_strbuf_add(writer->record, "}");
    } else {
        add_word(writer, "; ", comment);
        nk_strbuf_add(writer->record, "\n");
        writer->needs_no_space = true;
    }
    writer->continues = false;
}

/* Writes a node with what belongs to it. */
static void add_node(struct record_writer *writer, const struct nk_node *node)
{
    const char *marks = node->marks;
    add_number(writer, node->ply - 1);
    add_word(writer, "", nk_move_text(writer->rules, node->move).s);
    if (*marks)
        nk_strbuf_add(writer->record, "%s%s", *marks == '$' ? " " : "", marks);
    add_comment(writer, node->comment);
}

static void begin_variation(struct record_writer *writer)
{
    writer->depth++;
    begin_line(writer);
    nk_strbuf_add(writer->record, "("); /* no space follows, as at the beginning of the line */
    writer->continues = false;
}

static void end_variation(struct record_writer *writer)
{
    nk_strbuf_add(writer->record, ")");
    writer->depth--;
    writer->follows_variation = true;
    writer->needs_no_space = false;
    writer->continues = false;
}

/* Whether a node begins a variation. */
static bool is_alternative(const struct nk_tree *tree, int number)
{
    const struct nk_node node = nk_tree_node(tree, number);
    if (!number)
        return false;
    const struct nk_node parent = nk_tree_node(tree, node.parent);
    return parent.resigned || parent.child != number;
}

/* Continues after a node whose alternatives have been written. Returns the node to be written, or NONE. */
static int go_on(struct record_writer *writer, int number)
{
    for (;;) {
        struct nk_node node = nk_tree_node(writer->tree, number);
        if (node.resigned) {
            add_number(writer, node.ply);
            add_word(writer, "", "resign");
        }
        if (node.resigned && node.child != NONE)
            begin_variation(writer);
        if (node.child != NONE)
            return node.child;
        do { /* the line ends */
            while (number && !is_alternative(writer->tree, number))
                number = nk_tree_node(writer->tree, number).parent;
            if (!number)
                return NONE;
            end_variation(writer);
            node = nk_tree_node(writer->tree, number);
            if (node.sibling != NONE) {
                begin_variation(writer);
                return node.sibling;
            }
            number = node.parent;
        } while (nk_tree_node(writer->tree, number).resigned);
        number = nk_tree_node(writer->tree, number).child;
    }
}

/* Writes all moves, without recursion: variations may be nested to any depth. */
static void add_moves(struct record_writer *writer)
{
    add_comment(writer, nk_tree_node(writer->tree, 0).comment);
    for (int number = go_on(writer, 0); number != NONE;) {
        const struct nk_node node = nk_tree_node(writer->tree, number);
        add_node(writer, &node);
        if (node.sibling != NONE && !is_alternative(writer->tree, number)) {
            begin_variation(writer);
            number = node.sibling;
        } else {
            number = go_on(writer, number);
        }
    }
    if (!writer->needs_no_space)
        nk_strbuf_add(writer->record, "\n");
}

/* ---- records ---- */

/* Adds the record of a tree, whose game is `game`. */
static void add_record(const struct nk_tree *tree, const struct nk_game *game,
                       const struct nk_headers *headers, struct nk_strbuf *record)
{
    add_headers(game, headers, record);
    add_moves(&(struct record_writer){.tree = tree,
                                      .rules = nk_game_rules(game),
                                      .record = record,
                                      .first = nk_game_to_move_at(game, 0),
                                      .needs_no_space = true});
    const enum nk_end end = nk_game_end(game, NULL);
    if (end != NK_END_NONE && end != NK_END_STATED) /* the result says that */
        nk_strbuf_add(record, "{%s}\n", nk_end_text(game).s);
    nk_strbuf_add(record, "%s\n", nk_outcome_text(nk_outcome_of(game, headers->outcome)));
}

static char *record_text(const struct nk_tree *tree, const struct nk_game *game,
                         const struct nk_headers *headers)
{
    static const struct nk_headers none = {.outcome = NK_OUTCOME_OPEN};
    struct nk_strbuf measured = {0};
    if (!headers)
        headers = &none;
    add_record(tree, game, headers, &measured);
    char *text = calloc(measured.length + 1, 1);
    if (text)
        add_record(tree, game, headers, &(struct nk_strbuf){text, measured.length + 1, 0});
    return text;
}

char *nk_record_tree_text(struct nk_tree *tree, const struct nk_headers *headers)
{
    assert(tree);
    const struct nk_game *game;
    return nk_tree_at(tree, nk_tree_last(tree), &game, NULL) ? NULL : record_text(tree, game, headers);
}

char *nk_record_text(const struct nk_game *game, const struct nk_headers *headers)
{
    assert(game);
    struct nk_tree *tree;
    if (nk_tree_of_game(game, &tree, NULL))
        return NULL;
    char *text = record_text(tree, game, headers);
    nk_tree_free(tree);
    return text;
}
