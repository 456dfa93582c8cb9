/* The options that match and tournament have in common. */
#ifndef NK_COMMANDS_MATCH_OPTIONS_H
#define NK_COMMANDS_MATCH_OPTIONS_H

#include "player/commands/common.h"
#include "player/opponents/match.h"

extern struct match_options {
    const char *start, *record;
    uint64_t games, threads, max_plies;
} match_options;

enum { MATCH_MAX_THREADS = 256, MATCH_MAX_PLIES = 1000000 };

/* Entries of a list of options. `most_games` is the maximum of --games, which `about_games` describes. */
#define MATCH_GAME_OPTIONS(about_games, most_games)                                                         \
    NK_NUMBER("games", "N", about_games, NULL, &match_options.games, 1, most_games),                        \
        NK_TEXT(                                                                                            \
            "start", "POSITION|standard|drawn|random|fair",                                                 \
            "Begin every game at POSITION or at the start of the game (standard), or each pair of games, "  \
            "one with each side, at a random position: a drawn one (drawn), any one (random) or a fair "    \
            "start (fair)",                                                                                 \
            "drawn", &match_options.start),                                                                 \
        SEED_OPTION,                                                                                        \
        NK_NUMBER("threads", "N", "Play N games at a time", "one per processor", &match_options.threads, 1, \
                  MATCH_MAX_THREADS),                                                                       \
        NK_NUMBER("max-plies", "N", "Stop a game as a draw after N moves of both sides together", NULL,     \
                  &match_options.max_plies, 1, MATCH_MAX_PLIES)
#define MATCH_RECORD_OPTION                                                                                 \
    NK_TEXT("record", "FILE",                                                                               \
            "Write the games to FILE or, with -, to standard output instead of the result, for 'neutreeko " \
            "review'",                                                                                      \
            NULL, &match_options.record)

/* Checks what does not need the table. Returns the exit status. */
int match_options_check(void);

/* Whether the games go to standard output, where no result may follow. */
bool match_options_write_standard(void);

/* Sets *match, but for the opponents, to what the options request. Returns the exit status, after an error message
 * unless it is EXIT_SUCCESS. A list of positions stays until the program ends. */
int match_options_read(struct nk_table *table, struct nk_match *match);

/* Plays several matches until the end or until an interrupt, with the games in --record FILE, and adds their results to
 * scores[count]. `event`: that of the headers of the games. Errors as nk_match_play_watched and nk_writer_open. */
enum nk_status match_options_play(struct nk_table *table, struct nk_match matches[], uint32_t count,
                                  const char *event, const struct nk_progress_sink *progress,
                                  struct nk_score scores[], struct nk_error *error);

#endif
