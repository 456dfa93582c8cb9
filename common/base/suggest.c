#include "common/base/suggest.h"

#include <assert.h>
#include <string.h>

enum { LONGEST_NAME = 30 }; /* a longer text is not similar to any name */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* How many letters are inserted, removed, replaced, or exchanged with the next one, from one text to the other. */
static int edit_distance(const char *a, const char *b)
{
    int rows[3][LONGEST_NAME + 1]; /* of the last letters of a: distances to the beginnings of b */
    int *before = rows[0], *last = rows[1], *now = rows[2];
    const int length = (int)strlen(b);
    for (int j = 0; j <= length; j++)
        last[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        now[0] = i;
        for (int j = 1; j <= length; j++) {
            now[j] = smaller(smaller(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
        int *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[length];
}

void nk_suggest(struct nk_suggestion *suggestion, const char *name)
{
    const size_t typed = strlen(suggestion->typed), length = strlen(name);
    assert(length > 1 && length <= LONGEST_NAME);
    if (!typed || typed > LONGEST_NAME)
        return;
    /* The beginning of a name is closest to it. */
    const int distance =
        strncmp(name, suggestion->typed, typed) == 0 ? 0 : edit_distance(suggestion->typed, name);
    if (distance > 1 + (int)length / 4 || (suggestion->name && distance >= suggestion->distance))
        return;
    suggestion->name = name;
    suggestion->distance = distance;
}
