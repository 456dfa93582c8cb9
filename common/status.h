/* What can go wrong, and how the library says so.
 *
 * Every function that can fail returns an nk_status, 0 when it did not. Those that can say more fill a
 * caller's struct nk_error; a null pointer means that the caller does not want to know. Results are written
 * only on success.
 */
#ifndef NK_STATUS_H
#define NK_STATUS_H

#include <stddef.h>

/* Marks what a program outside the library may call. */
#if defined(__GNUC__)
#define NK_API __attribute__((visibility("default")))
#else
#define NK_API
#endif

enum nk_status {
    NK_OK = 0,
    NK_E_MEMORY,    /* an allocation failed */
    NK_E_RULES,     /* no such board: a size, a number of pieces or a row out of range */
    NK_E_SYNTAX,    /* a text that is no move or position; nk_error.at says where */
    NK_E_POSITION,  /* a well-formed position that cannot occur */
    NK_E_MOVE,      /* a well-formed move that the rules do not allow here */
    NK_E_READ,      /* the operating system could not read a file */
    NK_E_WRITE,     /* the operating system could not write a file */
    NK_E_NOT_TABLE, /* the file is something else, or of a version unknown here */
    NK_E_CORRUPT,   /* the file is a table, but damaged */
    NK_E_LIMIT      /* a distance beyond what the format can hold */
};

struct nk_error {
    enum nk_status status;
    size_t at;      /* the character of the text, counted from 1; 0 when no single one is to blame */
    char text[240]; /* one line without a newline: what was found, what was expected */
};

/* Records a failure in *error (may be NULL) and returns `status`, so that a caller can write
 * `return nk_fail(...)`. The format is that of nk_text_add. What is too long is cut. */
NK_API enum nk_status nk_fail(struct nk_error *error, enum nk_status status, size_t at, const char *format,
                              ...);

#endif
