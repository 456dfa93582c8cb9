/* JSON as the programs and the page write it. */

#include "common/json_stdout.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define UNKNOWN "\xef\xbf\xbd" /* U+FFFD */

/* A writer whose buffer is emptied into `text` whenever it is full. The writer comes first, so that a pointer to
 * it is one to the whole. */
struct output {
    struct nk_json json;
    char buffer[64], text[1024];
    size_t length;
};

static void append(struct nk_json *json)
{
    struct output *output = (struct output *)json;
    cr_assert_lt(output->length + json->length, sizeof output->text);
    memcpy(output->text + output->length, json->bytes, json->length);
    output->length += json->length;
    json->length = 0;
}

static struct nk_json *init(struct output *output, size_t size)
{
    memset(output, 0, sizeof *output);
    output->json = (struct nk_json){.bytes = output->buffer, .size = size, .make_room = append};
    return &output->json;
}

static void expect(struct output *output, const char *expected)
{
    append(&output->json);
    cr_assert_str_eq(output->text, expected);
}

Test(json, values_and_separators_in_a_buffer_of_any_size)
{
    for (size_t size = 1; size <= 64; size++) {
        struct output output;
        struct nk_json *json = init(&output, size);
        nk_json_begin(json, NULL, '{');
        nk_json_begin(json, "none", '[');
        nk_json_end(json, ']');
        nk_json_begin(json, "some", '[');
        nk_json_begin(json, NULL, '{');
        nk_json_end(json, '}');
        nk_json_string(json, NULL, "two\nlines");
        nk_json_null(json, NULL);
        nk_json_begin(json, NULL, '[');
        nk_json_integer(json, NULL, -1);
        nk_json_end(json, ']');
        nk_json_end(json, ']');
        nk_json_bool(json, "yes", true);
        nk_json_bool(json, "no", false);
        nk_json_string(json, "missing", NULL);
        nk_json_real(json, "zero", 0);
        nk_json_end(json, '}');
        expect(&output, "{\"none\": [], \"some\": [{}, \"two\\nlines\", null, [-1]], \"yes\": true, "
                        "\"no\": false, \"missing\": null, \"zero\": 0.0}");
    }
}

static void expect_string(const char *text, const char *expected)
{
    struct output output;
    char quoted[128];
    nk_json_string(init(&output, 64), NULL, text);
    snprintf(quoted, sizeof quoted, "\"%s\"", expected);
    expect(&output, quoted);
}

/* Characters that need an escape; the first and last of each length, and those next to the surrogates. */
Test(json, strings)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"a\"b\\c/d'", "a\\\"b\\\\c/d'"},
        {"\b\t\n\f\r", "\\b\\t\\n\\f\\r"},
        {"\x01\a\v\x0e\x1b\x1f\x7f", "\\u0001\\u0007\\u000B\\u000E\\u001B\\u001F\x7f"},
        {"\xe6\x89\x8b and \xc3\xa4\"", "\xe6\x89\x8b and \xc3\xa4\\\""},
    };
    static const char *const same[] = {"\xc2\x80",     "\xdf\xbf",         "\xe0\xa0\x80",
                                       "\xef\xbf\xbf", "\xed\x9f\xbf",     "\xee\x80\x80",
                                       UNKNOWN,        "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"};
    for (size_t i = 0; i < COUNT(cases); i++)
        expect_string(cases[i][0], cases[i][1]);
    for (size_t i = 0; i < COUNT(same); i++)
        expect_string(same[i], same[i]);
}

/* Each byte that is alone, overlong, no character, cut or too long; what comes after it is not swallowed. */
Test(json, other_bytes_become_replacement_characters)
{
    static const char *const invalid[] = {"\x80",         "\xbf",         "\xc2",         "\xff",
                                          "\xc0\xaf",     "\xc1\xbf",     "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
                                          "\xed\xa0\x80", "\xed\xbf\xbf", "\xe2\x82",     "\xf4\x90\x80\x80",
                                          "\xf0\x90\x80", "\xfe\x80",     "\xfb\xbf\xbf", "\xf5\x80\x80\x80"};
    for (size_t i = 0; i < COUNT(invalid); i++) {
        char text[16], expected[32] = "";
        snprintf(text, sizeof text, "%s\"\xc3\xa4", invalid[i]);
        for (size_t n = 0; n < strlen(invalid[i]); n++)
            strcat(expected, UNKNOWN);
        expect_string(text, strcat(expected, "\\\"\xc3\xa4"));
    }
}

Test(json, numbers)
{
    static const struct {
        double real; /* or 0: the integer */
        int64_t integer;
        const char *expected;
    } cases[] = {
        {-2.5, 0, "-2.5"},
        {1.0 / 3, 0, "0.333333"},
        {123456.7, 0, "123457.0"},
        {12345670, 0, "1.23457e+07"},
        {1.5e-7, 0, "1.5e-07"},
        {0, 0, "0"},
        {0, 10, "10"},
        {0, INT64_MAX, "9223372036854775807"},
        {0, INT64_MIN, "-9223372036854775808"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct output output;
        if (cases[i].real != 0)
            nk_json_real(init(&output, 64), NULL, cases[i].real);
        else
            nk_json_integer(init(&output, 64), NULL, cases[i].integer);
        expect(&output, cases[i].expected);
    }
}
