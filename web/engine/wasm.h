/* What the functions that JavaScript calls have in common: their input, their answer, the board and its table. */
#ifndef NK_WASM_H
#define NK_WASM_H

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/table/table.h"

/* A function that JavaScript calls, and one that it provides. */
#define WEB(name) __attribute__((export_name(#name))) name
#define IMPORT(name) __attribute__((import_module("env"), import_name(#name))) name

/* What the next function answers, a value in JSON. */
extern struct nk_json nk_web_answer;

/* Of the function that is called. */
extern struct nk_error nk_web_error;

/* The texts or bytes that JavaScript has written last, see web_input. */
extern char *nk_web_input;

/* The rules of this instance, once web_rules or a table has set them, and the index of their board, that of the table
 * once there is one. */
extern struct nk_rules nk_web_rules;
extern struct nk_index *nk_web_index;

/* The table of the board; NULL until it is open or solved. */
extern struct nk_table *nk_web_table;

/* True if the status is NK_OK; otherwise false, after answering with the error. */
bool nk_web_good(enum nk_status status);

/* Answers with nk_web_error in place of what may have been written before it; `reason` may be NULL. Returns false. */
bool nk_web_fail(const char *code, const char *reason);

/* Returns false, after answering with an error, if there is no table. */
bool nk_web_has_values(void);

/* Reads a legal position from the input. Returns false after answering with an error. */
bool nk_web_read_position(struct nk_position *position, enum nk_colour *to_move);

void nk_web_answer_bool(bool value);

/* Add a value to the answer: the member `key` of an object or, with NULL, an item of an array. */
void nk_web_add_position(const char *key, struct nk_position position, enum nk_colour to_move);
void nk_web_add_move(const char *key, struct nk_move move);

/* Add the members of a move, "move": "b1-c1", "from": "b1", "to": "c1"; and of one with what it leads to, its "value"
 * and the "next" position. */
void nk_web_add_move_members(struct nk_move move);
void nk_web_add_choice_members(struct nk_position position, enum nk_colour to_move, struct nk_move move,
                               struct nk_value value);

/* Has all functions use a table from now on, and answers with the number of its entries. */
void nk_web_use_table(struct nk_table *table);

#endif
