/* What libneutreeko has beyond the functions of common/ and player/ that it exports as they are. */

#include "common/play/describe.h"

#include <assert.h>
#include <stdlib.h>

/* Programs were compiled with these sizes: another one is another interface, with another `version` in
 * meson.build. */
static_assert(sizeof(struct nk_error) == 2 * sizeof(size_t) + 240, "nk_error");
static_assert(sizeof(struct nk_board) == 20, "nk_board");
static_assert(sizeof(struct nk_position) == 16, "nk_position");
static_assert(sizeof(struct nk_move) == 2, "nk_move");
static_assert(sizeof(struct nk_text) == 80, "nk_text");
static_assert(sizeof(struct nk_value) == 8, "nk_value");
static_assert(sizeof(struct nk_move_value) == 12, "nk_move_value");
static_assert(offsetof(struct nk_summary, longest) == 48, "nk_summary");
static_assert(sizeof(struct nk_listed_position) == 32, "nk_listed_position");
static_assert(sizeof(struct nk_choice) == 20, "nk_choice");
static_assert(sizeof(struct nk_reviewed) == 36, "nk_reviewed");

const char *nk_version(void)
{
    return NK_VERSION;
}

/* The JSON text that is being made; `json` is its first member. */
struct growing {
    struct nk_json json;
    bool out_of_memory;
};

/* Without memory, what was written is overwritten: it is not needed any more. */
static void enlarge(struct nk_json *json)
{
    struct growing *growing = (struct growing *)json;
    char *larger = realloc(json->bytes, 2 * json->size);
    if (!larger) {
        growing->out_of_memory = true;
        json->length = 0;
        return;
    }
    json->bytes = larger;
    json->size *= 2;
}

char *nk_names(void)
{
    enum { FIRST = 1024 };
    struct growing growing = {{.bytes = malloc(FIRST), .size = FIRST, .make_room = enlarge}, false};
    struct nk_json *json = &growing.json;
    if (!json->bytes)
        return NULL;
    nk_json_begin(json, NULL, '{');
    nk_json_names(json);
    nk_json_end(json, '}');
    if (json->length == json->size)
        enlarge(json);
    json->bytes[json->length] = '\0';
    if (!growing.out_of_memory)
        return json->bytes;
    free(json->bytes);
    return NULL;
}
