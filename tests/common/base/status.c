/* The texts of failures. */

#include "common/base/base.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

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

Test(status, a_failure_has_its_status_place_and_text)
{
    struct nk_error error;
    char too_long[2 * sizeof error.text] = "";
    cr_assert_eq(nk_fail(&error, NK_E_READ, 7, "%s|%c|%d|%d|%u|%zu|%lu|%llu|%%|%s", "text", 'x', INT_MIN,
                         INT_MAX, UINT_MAX, (size_t)5, 6UL, ULLONG_MAX, ""),
                 NK_E_READ);
    cr_assert(error.status == NK_E_READ);
    cr_assert(error.at == 7);
    cr_assert_str_eq(error.text, "text|x|-2147483648|2147483647|4294967295|5|6|18446744073709551615|%|");
    (void)nk_fail(&error, NK_E_READ, 0, "%d %llu", 0, 0ULL);
    cr_assert_str_eq(error.text, "0 0");
    memset(too_long, 'x', sizeof too_long - 1);
    (void)nk_fail(&error, NK_E_READ, 0, "%s", too_long);
    cr_assert_eq(strlen(error.text), sizeof error.text - 1);
}

Test(status, sizes_are_in_the_largest_unit_that_fits)
{
    cr_assert_eq(nk_size_of(1023).number, 1023);
    cr_assert_str_eq(nk_size_of(1 << 10).unit, "KiB");
    cr_assert_eq(nk_size_of((1 << 20) - 1).number, 1023);
    cr_assert_str_eq(nk_size_of(1 << 20).unit, "MiB");
}

/* What a text from outside is printed as. */
static const char *escaped(const char *outside)
{
    static char bytes[100];
    struct nk_strbuf text = {bytes, sizeof bytes, 0};
    nk_strbuf_add(&text, "%s", "");
    nk_strbuf_add_escaped(&text, outside);
    return bytes;
}

Test(status, visible_characters_stay)
{
    cr_assert_str_eq(escaped(""), "");
    cr_assert_str_eq(escaped(" ~it's \\x1B \"a\" b"), " ~it's \\x1B \"a\" b");
    cr_assert_str_eq(escaped("Zo\xc3\xab \xe5\xb0\x86 \xf0\x9f\x98\x80 \xc2\xa0"),
                     "Zo\xc3\xab \xe5\xb0\x86 \xf0\x9f\x98\x80 \xc2\xa0");
}

Test(status, control_characters_are_escaped)
{
    cr_assert_str_eq(escaped("\001\x1b[2J\n\x1f"), "\\x01\\x1B[2J\\x0A\\x1F");
    cr_assert_str_eq(escaped("\x7f"), "\\x7F");
    cr_assert_str_eq(escaped("\xc2\x80\xc2\x9b\xc2\x9f"), "\\xC2\\x80\\xC2\\x9B\\xC2\\x9F");
}

Test(status, invalid_utf8_is_escaped)
{
    cr_assert_str_eq(escaped("\x9b\xff"), "\\x9B\\xFF");
    cr_assert_str_eq(escaped("a\xc3"), "a\\xC3");
    cr_assert_str_eq(escaped("\xe5\xb0z"), "\\xE5\\xB0z");
    cr_assert_str_eq(escaped("\xc0\x9b"), "\\xC0\\x9B");
    cr_assert_str_eq(escaped("\xed\xa0\x80"), "\\xED\\xA0\\x80");
    cr_assert_str_eq(escaped("\xf4\x90\x80\x80"), "\\xF4\\x90\\x80\\x80");
}

Test(status, escaping_twice_is_the_same_as_once)
{
    for (int first = 1; first < 256; first++)
        for (int second = 0; second < 256; second++) {
            const char outside[] = {(char)first, (char)second, '\0'};
            char once[20];
            (void)nk_put_text(once, escaped(outside));
            cr_assert_str_eq(escaped(once), once);
        }
}

Test(status, escaped_text_that_does_not_fit_is_cut_and_counted)
{
    char bytes[7] = "";
    struct nk_strbuf text = {bytes, sizeof bytes, 0};
    nk_strbuf_add_escaped(&text, "ab\x1b\x1b");
    cr_assert_str_eq(bytes, "ab\\x1B");
    cr_assert_eq(text.length, 10);
}

Test(status, the_end_of_a_long_path_begins_with_a_whole_character)
{
    char path[3 * 40 + 1];
    for (int i = 0; i < 40; i++)
        (void)nk_put_text(path + 3 * i, "\xe5\xb0\x86");
    cr_assert_str_eq(nk_path_dots(path), "...");
    cr_assert_str_eq(nk_path_end(path), path + 21);
    memset(path, 0x80, sizeof path - 1); /* nothing in it is a character */
    cr_assert_eq(strlen(nk_path_end(path)), 97);
}

static bool is_similar(const char *typed, const char *name)
{
    struct nk_suggestion similar = {.typed = typed};
    nk_suggest(&similar, name);
    return similar.name != NULL;
}

Test(status, one_letter_or_two_that_are_exchanged_make_a_similar_name)
{
    cr_assert(is_similar("wim", "win"));
    cr_assert(is_similar("wn", "win"));
    cr_assert(is_similar("winn", "win"));
    cr_assert(is_similar("wni", "win"));
    cr_assert(!is_similar("wab", "win"));
    cr_assert(!is_similar("nwi", "win"));
    cr_assert(!is_similar("niw", "win"));
}
