/* The summary that `neutreeko review` prints of many games: by player, and by how they begin. */

#include "player/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tallies ---- */

/* Games that have something in common: a player, or how they begin. */
struct tally {
    char name[NK_HEADER_TEXT];
    uint64_t games, wins, draws, losses; /* of the player, or of Black */
    uint64_t moves, mistakes, blunders, plies_lost, chances;
};

static const char other_start[] = "(another start position)", nobody[] = "?";

/* The most games first. */
static int compare_tallies(const void *a, const void *b)
{
    const struct tally *const *x = a, *const *y = b;
    if ((*x)->games != (*y)->games)
        return (*x)->games < (*y)->games ? 1 : -1;
    return strcmp((*x)->name, (*y)->name);
}

/* The tally with this name; NULL if memory runs out. */
static struct tally *find_tally(struct tallies *tallies, const char *name)
{
    size_t low = 0, high = tallies->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(tallies->list[middle]->name, name);
        if (order == 0)
            return tallies->list[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (!nk_grow(&tallies->list, &tallies->room, tallies->count + 1, sizeof(struct tally *)))
        return NULL;
    struct tally *tally = calloc(1, sizeof *tally);
    if (!tally)
        return NULL;
    snprintf(tally->name, sizeof tally->name, "%s", name);
    memmove(tallies->list + low + 1, tallies->list + low, (tallies->count++ - low) * sizeof(struct tally *));
    tallies->list[low] = tally;
    return tally;
}

static void clear(const struct tallies *tallies)
{
    for (size_t i = 0; i < tallies->count; i++)
        free(tallies->list[i]);
    free(tallies->list);
}

void review_summary_clear(const struct review_summary *summary)
{
    clear(&summary->players);
    clear(&summary->openings);
}

/* ---- adding a game ---- */

/* Writes the first move of each side, or what they are in a mirror. */
static void write_moves(const struct nk_game *game, bool mirrored, char name[NK_HEADER_TEXT])
{
    const struct nk_rules *rules = nk_game_rules(game);
    const uint8_t *image = rules->image[mirrored ? NK_MIRROR_FILES : 0];
    *name = '\0';
    for (int ply = 0; ply < 2 && ply < nk_game_plies(game); ply++) {
        struct nk_move move = nk_game_move_at(game, ply);
        move = (struct nk_move){image[move.from], image[move.to]};
        snprintf(name + strlen(name), NK_HEADER_TEXT - strlen(name), "%s%s", ply ? " " : "",
                 nk_move_text(rules, move).s);
    }
}

/* Writes how a game begins, the same for games that are mirror images, or that the start position is another one: those
 * of nk_rules_start are their own mirror images. */
static void write_opening(const struct nk_game *game, char name[NK_HEADER_TEXT])
{
    struct nk_position start;
    char mirrored[NK_HEADER_TEXT];
    const struct nk_rules *rules = nk_game_rules(game);
    if (!nk_rules_start(rules, &start) || nk_game_to_move_at(game, 0) != NK_BLACK ||
        !nk_position_equal(nk_game_position_at(game, 0), start)) {
        snprintf(name, NK_HEADER_TEXT, "%s", other_start);
        return;
    }
    write_moves(game, false, name);
    write_moves(game, true, mirrored);
    if (strcmp(mirrored, name) < 0)
        snprintf(name, NK_HEADER_TEXT, "%s", mirrored);
}

/* Counts the outcome of a game for a side. */
static void count_outcome(struct tally *tally, enum nk_outcome outcome, enum nk_colour side)
{
    tally->games++;
    if (outcome == NK_OUTCOME_DRAW)
        tally->draws++;
    else if (outcome == nk_outcome_won_by(side))
        tally->wins++;
    else if (outcome != NK_OUTCOME_OPEN)
        tally->losses++;
}

enum nk_status review_summary_add(struct review_summary *summary, const struct nk_headers *headers,
                                  const struct nk_game *game, const struct side_summary sides[2],
                                  struct nk_error *error)
{
    char opening[NK_HEADER_TEXT];
    write_opening(game, opening);
    struct tally *tally = find_tally(&summary->openings, opening);
    if (!tally)
        return nk_fail_memory(error);
    count_outcome(tally, headers->outcome, NK_BLACK);
    for (int side = NK_BLACK; side <= NK_WHITE; side++) {
        const char *name = headers->players[side];
        const struct side_summary *done = &sides[side];
        if (!(tally = find_tally(&summary->players, *name ? name : nobody)))
            return nk_fail_memory(error);
        count_outcome(tally, headers->outcome, (enum nk_colour)side);
        tally->moves += (uint64_t)done->moves;
        tally->mistakes += (uint64_t)done->mistakes;
        tally->blunders += (uint64_t)done->blunders;
        tally->plies_lost += (uint64_t)done->plies_lost;
        tally->chances += (uint64_t)done->chances;
    }
    summary->games++;
    summary->unfinished += headers->outcome == NK_OUTCOME_OPEN;
    summary->moves += (uint64_t)nk_game_plies(game);
    return NK_OK;
}

/* ---- text ---- */

static void sort(struct tallies *tallies)
{
    if (tallies->count) /* the list is NULL if it has never had one */
        qsort(tallies->list, tallies->count, sizeof(struct tally *), compare_tallies);
}

static double accuracy(const struct tally *tally)
{
    return 100 * (double)(tally->chances - tally->mistakes - tally->blunders) / (double)tally->chances;
}

void review_summary_print(struct review_summary *summary, uint64_t invalid)
{
    enum { MOST_OPENINGS = 20, INDENT = 8 };
    char text[200];
    struct nk_strbuf line = {text, sizeof text, 0};
    nk_strbuf_add(&line, "%s game%s, %s move%s", nk_group_digits(summary->games).s, nk_plural(summary->games),
                  nk_group_digits(summary->moves).s, nk_plural(summary->moves));
    if (summary->unfinished)
        nk_strbuf_add(&line, ", %s unfinished", nk_group_digits(summary->unfinished).s);
    if (invalid)
        nk_strbuf_add(&line, ", %s invalid, which %s not counted", nk_group_digits(invalid).s,
                      invalid == 1 ? "is" : "are");
    terminal_printf(0, "%s\n", text);
    terminal_printf(INDENT, "\n   games     won   drawn    lost    moves      ?     ??  accuracy  player\n");
    sort(&summary->players);
    for (size_t i = 0; i < summary->players.count; i++) {
        const struct tally *tally = summary->players.list[i];
        char percent[16] = "-";
        if (tally->chances)
            snprintf(percent, sizeof percent, "%.1f %%", accuracy(tally));
        terminal_printf(INDENT, "%8s%8s%8s%8s%9s%7s%7s  %8s  %s\n", nk_group_digits(tally->games).s,
                        nk_group_digits(tally->wins).s, nk_group_digits(tally->draws).s,
                        nk_group_digits(tally->losses).s, nk_group_digits(tally->moves).s,
                        nk_group_digits(tally->mistakes).s, nk_group_digits(tally->blunders).s, percent,
                        tally->name);
    }
    terminal_printf(INDENT, "\n   games   Black   drawn   White  opening\n");
    sort(&summary->openings);
    for (size_t i = 0; i < summary->openings.count && i < MOST_OPENINGS; i++) {
        const struct tally *tally = summary->openings.list[i];
        terminal_printf(INDENT, "%8s%8s%8s%8s  %s\n", nk_group_digits(tally->games).s,
                        nk_group_digits(tally->wins).s, nk_group_digits(tally->draws).s,
                        nk_group_digits(tally->losses).s, *tally->name ? tally->name : "(no moves)");
    }
    if (summary->openings.count > MOST_OPENINGS)
        terminal_printf(INDENT, "     ...  and %s rarer opening%s\n",
                        nk_group_digits(summary->openings.count - MOST_OPENINGS).s,
                        nk_plural(summary->openings.count - MOST_OPENINGS));
}

/* ---- JSON ---- */

static void add_number(struct nk_json *json, const char *key, uint64_t number)
{
    nk_json_integer(json, key, (int64_t)number);
}

static void add_player(struct nk_json *json, const struct tally *tally)
{
    nk_json_begin(json, NULL, '{');
    nk_json_string(json, "name", strcmp(tally->name, nobody) == 0 ? NULL : tally->name);
    add_number(json, "games", tally->games);
    add_number(json, "wins", tally->wins);
    add_number(json, "draws", tally->draws);
    add_number(json, "losses", tally->losses);
    add_number(json, "moves", tally->moves);
    add_number(json, "mistakes", tally->mistakes);
    add_number(json, "blunders", tally->blunders);
    add_number(json, "plies_lost", tally->plies_lost);
    if (tally->chances)
        nk_json_real(json, "accuracy", accuracy(tally));
    else
        nk_json_null(json, "accuracy");
    nk_json_end(json, '}');
}

static void add_opening(struct nk_json *json, const struct tally *tally)
{
    nk_json_begin(json, NULL, '{');
    if (strcmp(tally->name, other_start) == 0) {
        nk_json_null(json, "moves");
    } else {
        nk_json_begin(json, "moves", '[');
        for (const char *at = tally->name; *at; at += strcspn(at, " "), at += *at == ' ') {
            char move[NK_MOVE_ROOM];
            snprintf(move, sizeof move, "%.*s", (int)strcspn(at, " "), at);
            nk_json_string(json, NULL, move);
        }
        nk_json_end(json, ']');
    }
    add_number(json, "games", tally->games);
    add_number(json, "black_wins", tally->wins);
    add_number(json, "draws", tally->draws);
    add_number(json, "white_wins", tally->losses);
    nk_json_end(json, '}');
}

void review_summary_json(struct nk_json *json, struct review_summary *summary, uint64_t invalid)
{
    add_number(json, "reviewed", summary->games);
    add_number(json, "unfinished", summary->unfinished);
    add_number(json, "invalid", invalid);
    nk_json_begin(json, "players", '[');
    sort(&summary->players);
    for (size_t i = 0; i < summary->players.count; i++)
        add_player(json, summary->players.list[i]);
    nk_json_end(json, ']');
    nk_json_begin(json, "openings", '[');
    sort(&summary->openings);
    for (size_t i = 0; i < summary->openings.count; i++)
        add_opening(json, summary->openings.list[i]);
    nk_json_end(json, ']');
}
