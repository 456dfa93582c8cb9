/* What the module has beyond include/neutreeko.h: opponents, puzzles, and work on many positions, which would take too
 * long in Python. Errors are those of the library. */

/* A puzzle: only the answer wins or, in a drawn position, does not lose. */
struct more_puzzle {
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_move answer;
};

/* The n-th strongest opponent, from 0: its name and a description. False if there is none. */
bool more_opponent(int n, struct nk_text *name, struct nk_text *about);

/* Chooses a move of an opponent in a game that is not over. */
enum nk_status more_opponent_move(const char *name, struct nk_table *table, const struct nk_game *game,
                                  uint64_t *random, struct nk_move *move, struct nk_error *error);

/* Writes up to `wanted` different puzzles of so many plies, 0 for draws, and sets *count to their number. */
enum nk_status more_puzzles(struct nk_table *table, int plies, uint64_t *random, struct more_puzzle puzzles[],
                            size_t wanted, size_t *count, struct nk_error *error);

/* Reads `count` positions from texts of `size` bytes each, which end with a zero. *done is the number of those that
 * were read, also after an error. */
enum nk_status more_parse(const struct nk_rules *rules, const char *texts, size_t size, size_t count,
                          struct nk_position positions[], uint8_t to_move[], size_t *done,
                          struct nk_error *error);

/* Writes the texts of `count` positions, which must be legal; to_move is 0 for Black. *done is the number of those that
 * were written, also after an error. */
enum nk_status more_texts(const struct nk_rules *rules, const struct nk_position positions[],
                          const uint8_t to_move[], size_t count, struct nk_text texts[], size_t *done,
                          struct nk_error *error);
