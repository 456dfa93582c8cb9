/* JSON as the programs and the page write it. */

#include "common/program/program.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

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
        nk_json_integer(json, NULL, 0);
        nk_json_integer(json, NULL, INT64_MAX);
        nk_json_integer(json, NULL, INT64_MIN);
        nk_json_end(json, ']');
        nk_json_end(json, ']');
        nk_json_bool(json, "yes", true);
        nk_json_bool(json, "no", false);
        nk_json_string(json, "missing", NULL);
        nk_json_real(json, "zero", 0);
        nk_json_real(json, "third", -1.0 / 3);
        nk_json_real(json, "large", 12345670);
        nk_json_real(json, "round", 2e9);
        nk_json_end(json, '}');
        expect(&output, "{\"none\": [], \"some\": [{}, \"two\\nlines\", null, [0, 9223372036854775807, "
                        "-9223372036854775808]], \"yes\": true, \"no\": false, \"missing\": null, "
                        "\"zero\": 0.0, \"third\": -0.333333, \"large\": 1.23457e+07, \"round\": 2e+09}");
    }
}

static void expect_string(const char *text, const char *expected)
{
    struct output output;
    nk_json_string(init(&output, 64), NULL, text);
    expect(&output, expected);
}

/* Characters that need an escape; the first and last of each length, and those next to the surrogates. */
Test(json, control_characters_quotes_and_backslashes_are_escaped)
{
    static const char *const strings[][2] = {
        {"", "\"\""},
        {"a\"b\\c/d'", "\"a\\\"b\\\\c/d'\""},
        {"\b\t\n\f\r", "\"\\b\\t\\n\\f\\r\""},
        {"\x01\a\v\x0e\x1b\x1f\x7f", "\"\\u0001\\u0007\\u000B\\u000E\\u001B\\u001F\x7f\""},
        {"\xc2\x80 \xdf\xbf", "\"\xc2\x80 \xdf\xbf\""},
        {"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80", "\"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\""},
        {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""},
    };
    for (size_t i = 0; i < COUNT(strings); i++)
        expect_string(strings[i][0], strings[i][1]);
}

/* What is alone, overlong, no character, cut or too long; what comes after it is not swallowed. */
Test(json, each_invalid_byte_is_replaced)
{
    static const char *const invalid[] = {"\x80",
                                          "\xc2",
                                          "\xff",
                                          "\xc1\xbf",
                                          "\xe0\x9f\xbf",
                                          "\xed\xa0\x80",
                                          "\xf0\x8f\xbf\xbf",
                                          "\xe2\x82",
                                          "\xf0\x90\x80",
                                          "\xf4\x90\x80\x80",
                                          "\xf5\x80\x80\x80"};
    for (size_t i = 0; i < COUNT(invalid); i++) {
        char text[32], expected[64] = "\"";
        snprintf(text, sizeof text, "%s\"\u00e4", invalid[i]);
        for (size_t n = 0; n < strlen(invalid[i]); n++)
            strcat(expected, "\ufffd");
        strcat(expected, "\\\"\u00e4\"");
        expect_string(text, expected);
    }
}
