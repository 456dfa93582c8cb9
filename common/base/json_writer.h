/* Writes a JSON text value by value into a buffer that the caller empties or enlarges when it is full. Nothing is
 * allocated per value, and nothing of it needs stdio, which the WebAssembly build cannot import. */
#ifndef NK_JSON_WRITER_H
#define NK_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A writer begins with all zero but `bytes`, which is the caller's, `size` and `make_room`. */
struct nk_json {
    char *bytes;
    size_t size, length;
    /* Called when length == size; it makes length < size by writing the bytes out or by enlarging the buffer,
     * and does not return if it cannot. */
    void (*make_room)(struct nk_json *json);
    bool follows; /* the next value follows another one in its array or object */
};

/* Each function adds a value: to an object as the member `key`, to an array with NULL for the key. Keys are
 * names that need no escapes. Values are separated by ", ", a key and its value by ": ".
 *
 * The first two begin and end an object, with the brackets '{' and '}', or an array, with '[' and ']'. */
void nk_json_begin(struct nk_json *json, const char *key, char bracket);
void nk_json_end(struct nk_json *json, char bracket);

/* NULL gives null. A byte that is not part of valid UTF-8 becomes U+FFFD, so that the JSON text is valid. */
void nk_json_string(struct nk_json *json, const char *key, const char *text);
void nk_json_integer(struct nk_json *json, const char *key, int64_t value);
void nk_json_bool(struct nk_json *json, const char *key, bool value);
void nk_json_null(struct nk_json *json, const char *key);

/* A value that is already spelled as JSON. */
void nk_json_literal(struct nk_json *json, const char *key, const char *text);

#endif
