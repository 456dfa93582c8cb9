/* The words of failures. */

#include "common/status.h"
#include "common/strbuf.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char untouched[] = "untouched";

Test(status, text_that_does_not_fit_is_cut_and_counted)
{
    for (size_t size = 0; size <= 12; size++) {
        char bytes[13] = "############";
        struct nk_strbuf text = {size ? bytes : NULL, size, 0};
        nk_strbuf_add(&text, "%s%d", "abc", -12);
        nk_strbuf_add(&text, "%c", 'd');
        cr_assert_eq(text.length, 7);
        cr_assert(size == 0 || strncmp(bytes, "abc-12d", size - 1) == 0);
        cr_assert(size == 0 || strlen(bytes) == (size < 8 ? size - 1 : 7));
        cr_assert_eq(bytes[size], size == 12 ? '\0' : '#');
    }
}

Test(status, nobody_has_to_listen)
{
    cr_assert_eq(nk_fail(NULL, NK_E_SYNTAX, 3, "%s %d", "text", 1), NK_E_SYNTAX);
}

Test(status, formats)
{
    struct nk_error error;
    cr_assert_eq(nk_fail(&error, NK_E_READ, 7, "%s|%c|%d|%d|%u|%zu|%lu|%llu|%%|%s", "text", 'x', INT_MIN,
                         INT_MAX, UINT_MAX, (size_t)5, 6UL, ULLONG_MAX, ""),
                 NK_E_READ);
    cr_assert_eq(error.status, NK_E_READ);
    cr_assert_eq(error.at, 7);
    cr_assert_str_eq(error.text, "text|x|-2147483648|2147483647|4294967295|5|6|18446744073709551615|%|");
    (void)nk_fail(&error, NK_E_READ, 0, "%d %llu", 0, 0ULL);
    cr_assert_str_eq(error.text, "0 0");
}

/* Of a long name the end is what tells it from others. */
Test(status, names_files)
{
    struct nk_error error;
    char name[] = "/home/player/tables/of/all/the/boards/that/were/ever/solved/in/this/place/and/kept/there/"
                  "perfect_move.dat";
    char expected[sizeof name];
    cr_assert_eq(strlen(name), 105);
    for (size_t length = 0; length < sizeof name; length++) {
        char *end = name + strlen(name) - length;
        snprintf(expected, sizeof expected, "%s%s", length > 100 ? "..." : "",
                 length > 100 ? end + length - 100 : end);
        (void)nk_fail(&error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(end), "gone");
        cr_assert(!strncmp(error.text, expected, strlen(expected)), "%s", error.text);
        cr_assert_str_eq(error.text + strlen(expected), ": gone");
    }
}

/* Every length around the room there is, by each kind of piece. */
Test(status, cuts_what_is_too_long)
{
    struct {
        struct nk_error error;
        char after[sizeof untouched];
    } guarded;
    enum { ROOM = sizeof guarded.error.text };
    char words[2 * ROOM], expected[5 * ROOM];
    memset(words, 'w', sizeof words);
    for (size_t length = 0; length < sizeof words; length++) {
        words[length] = '\0';
        memcpy(guarded.after, untouched, sizeof untouched);
        (void)nk_fail(&guarded.error, NK_E_READ, 0, "%s%d%c.%s", words, -12345, 'c', words);
        snprintf(expected, sizeof expected, "%s%d%c.%s", words, -12345, 'c', words);
        expected[ROOM - 1] = '\0';
        cr_assert_str_eq(guarded.error.text, expected);
        cr_assert_str_eq(guarded.after, untouched);
        words[length] = 'w';
    }
}
