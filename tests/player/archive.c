/* Reading the games of a file. Most texts are in tests/programs/test_review.py. */

#include "player/player.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <malloc.h>
#include <string.h>

TestSuite(archive, .init = enter_directory, .fini = leave_directory);

/* The second and the fourth are invalid. */
Test(archive, games_in_one_line_have_their_places)
{
    static const char games[] = "\ufeff1. b1-c1 * 1. b1-c9 *\n1. b1-c1\nb5-c5 * (a comment) b1-c1 x";
    static const struct {
        int plies;
        const char *error;
    } expected[] = {
        {1, NULL}, {0, "archive: line 1, character 19: "}, {2, NULL}, {0, "archive: line 3, character 27: "}};
    const struct nk_rules rules = rules_of(STANDARD);
    struct archive *archive = NULL;
    write_bytes("archive", games, strlen(games));
    cr_assert(!archive_open("archive", &rules, &archive, NULL));
    for (size_t n = 0; n < COUNT(expected); n++) {
        struct nk_headers headers;
        AUTO_GAME *game = NULL;
        struct nk_error error = {.text = ""};
        const enum nk_status status = archive_next(archive, &headers, &game, NULL, &error);
        cr_assert_eq(status != NK_OK, expected[n].error != NULL, "%zu: %s", n, error.text);
        if (status)
            cr_assert(strstr(error.text, expected[n].error), "%s", error.text);
        else
            cr_assert_eq(nk_game_plies(game), expected[n].plies, "%zu", n);
    }
    archive_close(archive);
}

Test(archive, closing_none_does_nothing)
{
    archive_close(NULL);
}

/* The directory cannot be read, so how many games it has is unknown. */
Test(archive, a_file_that_cannot_be_read_has_no_number_of_games)
{
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_headers headers;
    struct nk_game *game = NULL;
    bool has_more;
    struct nk_error error = {.text = ""};
    cr_assert_eq(archive_single(".", &rules, 2, &headers, &game, &has_more, &error), NK_E_READ);
    cr_assert(strstr(error.text, "Is a directory"), "%s", error.text);
}

/* What leaks, leaks each time; the C library itself may keep something now and then. Where it cannot count the bytes
 * in use, such as with sanitizers, it counts 0; those find what leaks. */
Test(archive, games_that_are_skipped_are_freed)
{
    static const char games[] = "[White \"a\"]\nb1-c1\n[White \"b\"]\nb1-b4\n[White \"c\"]\n";
    const struct nk_rules rules = rules_of(STANDARD);
    size_t before = 0;
    bool grows = true;
    write_bytes("archive", games, strlen(games));
    for (int time = 0; time < 10; time++) {
        struct nk_headers headers;
        AUTO_GAME *game = NULL;
        bool has_more;
        cr_assert(!archive_single("archive", &rules, 3, &headers, &game, &has_more, NULL));
        cr_assert_str_eq(headers.players[NK_WHITE], "c");
        const size_t used = mallinfo2().uordblks;
        grows &= !time || used > before;
        before = used;
    }
    cr_assert(!grows);
}
