/* The texts of failures. */

#include "common/status.h"
#include "common/strbuf.h"

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

Test(status, formats)
{
    struct nk_error error;
    char too_long[2 * sizeof error.text] = "";
    cr_assert_eq(nk_fail(&error, NK_E_READ, 7, "%s|%c|%d|%d|%u|%zu|%lu|%llu|%%|%s", "text", 'x', INT_MIN,
                         INT_MAX, UINT_MAX, (size_t)5, 6UL, ULLONG_MAX, ""),
                 NK_E_READ);
    cr_assert(error.status == NK_E_READ && error.at == 7);
    cr_assert_str_eq(error.text, "text|x|-2147483648|2147483647|4294967295|5|6|18446744073709551615|%|");
    (void)nk_fail(&error, NK_E_READ, 0, "%d %llu", 0, 0ULL);
    cr_assert_str_eq(error.text, "0 0");
    memset(too_long, 'x', sizeof too_long - 1);
    (void)nk_fail(&error, NK_E_READ, 0, "%s", too_long);
    cr_assert_eq(strlen(error.text), sizeof error.text - 1);
}
