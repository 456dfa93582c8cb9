#include "common/table/table.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000, ROOM = NK_PACK_BOUND(COUNT) };

/* Codes of which every `every`th is any number, and the others below `frequent`. */
static void fill_codes(uint8_t codes[COUNT], int every, int frequent)
{
    uint32_t state = 1;
    for (int i = 0; i < COUNT; i++) {
        state = state * 1664525 + 1013904223;
        codes[i] = (uint8_t)(i % every ? (int)(state >> 24) % frequent : (int)(state >> 24));
    }
}

/* All together, and each seventh alone, down from the last. */
static void expect_same(const uint8_t *codes, size_t count)
{
    uint8_t packed[ROOM], unpacked[COUNT];
    const size_t length = nk_pack(codes, count, packed);
    cr_assert_leq(length, NK_PACK_BOUND(count));
    cr_assert(nk_unpack(packed, length, unpacked, count), "%zu codes", count);
    cr_assert_eq(memcmp(codes, unpacked, count), 0, "%zu codes", count);
    for (size_t place = (count + 6) % 7; place < count; place += 7)
        cr_assert_eq(nk_packed_code(packed, count, place), codes[place], "%zu of %zu", place, count);
}

Test(packing, is_undone_for_any_codes)
{
    uint8_t codes[COUNT];
    for (int every = 1; every <= 50; every++)
        for (int frequent = 1; frequent <= 20; frequent++) {
            fill_codes(codes, every, frequent);
            expect_same(codes, COUNT);
        }
}

Test(packing, is_undone_for_any_number_of_codes)
{
    uint8_t codes[COUNT];
    fill_codes(codes, 30, 5);
    for (size_t count = 0; count <= COUNT; count++)
        expect_same(codes, count);
}

/* 13 = 1 + 2 * 6 + 0 * 36: the second, the third and the first of the listed codes. */
Test(packing, puts_three_codes_in_a_byte)
{
    const uint8_t codes[] = {3, 9, 4, 4, 4, 4, 4, 4, 3, 3, 3, 9}, expected[] = {3, 4, 3, 9, 0, 1};
    uint8_t packed[ROOM];
    const size_t length = nk_pack(codes, sizeof codes, packed);
    cr_assert_eq(length, 1 + 5 + 4);
    cr_assert_eq(memcmp(packed, expected, sizeof expected), 0);
    cr_assert_eq(packed[6], 1 + 2 * 6 + 0 * 36);
}

/* With three codes in a byte, more than one in twenty would not be listed: 5 to 10, but not without the last. */
Test(packing, puts_two_codes_in_a_byte_if_many_are_rare)
{
    uint8_t codes[100] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, packed[ROOM];
    cr_assert_eq(nk_pack(codes, sizeof codes, packed), 1 + 15 + 50);
    cr_assert_eq(packed[0], 2);
    cr_assert_eq(packed[16], 1 + 2 * 16);
    codes[9] = 0;
    cr_assert_eq(nk_pack(codes, sizeof codes, packed), 1 + 5 + 34 + 5);
}

Test(packing, puts_codes_that_are_not_listed_last)
{
    uint8_t codes[100] = {[50] = 70, [60] = 80, [70] = 90, [80] = 100, [90] = 250}, packed[ROOM];
    const size_t length = nk_pack(codes, sizeof codes, packed);
    cr_assert_eq(length, 1 + 5 + 34 + 1);
    cr_assert_eq(packed[length - 1], 250);
}

/* Packed codes that are wrong: of the byte at `at` the value is `byte`, and the length is another by `more`. They are
 * in memory of this length, so sanitizers notice when what follows is read. */
static bool is_refused(const uint8_t *packed, size_t length, size_t at, uint8_t byte, int more)
{
    const size_t size = length + (size_t)more;
    uint8_t *changed = calloc(size + !size, 1), codes[COUNT];
    memcpy(changed, packed, size < length ? size : length);
    if (at < size)
        changed[at] = byte;
    const bool refused = !nk_unpack(changed, size, codes, COUNT);
    free(changed);
    return refused;
}

Test(packing, refuses_what_is_not_packed_codes)
{
    uint8_t codes[COUNT], packed[ROOM];
    fill_codes(codes, 100, 4);
    const size_t length = nk_pack(codes, COUNT, packed);
    cr_assert_eq(packed[0], 3);
    cr_assert(!is_refused(packed, length, 0, 3, 0));
    cr_expect(is_refused(packed, 0, 0, 3, 0), "nothing");
    cr_expect(is_refused(packed, length, 0, 1, 0), "one code in a byte");
    cr_expect(is_refused(packed, length, 0, 4, 0), "four codes in a byte");
    cr_expect(is_refused(packed, length, 0, 3, -1), "a byte less");
    cr_expect(is_refused(packed, length, 0, 3, 1), "a byte more");
    cr_expect(is_refused(packed, length, 10, 6 * 6 * 6, 0), "a number without three digits");
    cr_expect(is_refused(packed, length, 10, 5 + 5 * 6 + 5 * 36, 0), "too few codes that are not listed");
}
