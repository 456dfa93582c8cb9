/* JSON, value by value. */

#include "common/base/base.h"

#include <string.h>

static void put(struct nk_json *json, const char *bytes, size_t length)
{
    while (length) {
        if (json->length == json->size)
            json->make_room(json);
        const size_t room = json->size - json->length, part = length < room ? length : room;
        memcpy(json->bytes + json->length, bytes, part);
        json->length += part;
        bytes += part;
        length -= part;
    }
}

/* Puts the comma after the value before this one, and the key. */
static void begin_value(struct nk_json *json, const char *key)
{
    if (json->follows)
        put(json, ", ", 2);
    json->follows = true;
    if (key) {
        put(json, "\"", 1);
        put(json, key, strlen(key));
        put(json, "\": ", 3);
    }
}

void nk_json_begin(struct nk_json *json, const char *key, char bracket)
{
    begin_value(json, key);
    put(json, &bracket, 1);
    json->follows = false;
}

void nk_json_end(struct nk_json *json, char bracket)
{
    put(json, &bracket, 1);
    json->follows = true;
}

static void put_control(struct nk_json *json, unsigned char c)
{
    static const char letters[] = "btn\0fr", digits[] = "0123456789ABCDEF";
    const char letter = c >= '\b' && c <= '\r' ? letters[c - '\b'] : '\0';
    if (letter)
        put(json, (const char[]){'\\', letter}, 2);
    else
        put(json, (const char[]){'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]}, 6);
}

/* Puts the first character of a text, which is not plain; returns how many bytes of the text it is. */
static size_t put_special(struct nk_json *json, const char *text)
{
    const unsigned char c = (unsigned char)*text;
    const size_t length = c < 0x80 ? 1 : nk_utf8_length(text);
    if (c < ' ')
        put_control(json, c);
    else if (c < 0x80)
        put(json, (const char[]){'\\', *text}, 2);
    else if (length)
        put(json, text, length);
    else
        put(json, NK_REPLACEMENT, sizeof NK_REPLACEMENT - 1);
    return length ? length : 1;
}

/* Whether a character stands for itself in a string. */
static bool is_plain(char c)
{
    return (unsigned char)c >= ' ' && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

void nk_json_string(struct nk_json *json, const char *key, const char *text)
{
    if (!text) {
        nk_json_null(json, key);
        return;
    }
    begin_value(json, key);
    put(json, "\"", 1);
    while (*text) {
        size_t plain = 0;
        while (is_plain(text[plain]))
            plain++;
        put(json, text, plain);
        text += plain;
        if (*text)
            text += put_special(json, text);
    }
    put(json, "\"", 1);
}

void nk_json_integer(struct nk_json *json, const char *key, int64_t value)
{
    char digits[NK_NUMBER_TEXT];
    const uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    const size_t length = (size_t)(nk_put_number(digits, magnitude) - digits);
    begin_value(json, key);
    if (value < 0)
        put(json, "-", 1);
    put(json, digits, length);
}

void nk_json_literal(struct nk_json *json, const char *key, const char *text)
{
    begin_value(json, key);
    put(json, text, strlen(text));
}

void nk_json_bool(struct nk_json *json, const char *key, bool value)
{
    nk_json_literal(json, key, value ? "true" : "false");
}

void nk_json_null(struct nk_json *json, const char *key)
{
    nk_json_literal(json, key, "null");
}
