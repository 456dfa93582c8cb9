#include "common/base/distance.h"

#include "common/base/strbuf.h"

int nk_moves_in(int plies)
{
    return plies / 2 + plies % 2;
}

/* These texts are most of what `neutreeko query` prints, and printf would take most of its time. */
static char *put_count(char *out, int count, const char *one, const char *several)
{
    return nk_put_text(nk_put_number(out, (uint64_t)count), count == 1 ? one : several);
}

struct nk_text nk_moves_text(int plies)
{
    struct nk_text text;
    (void)put_count(text.s, nk_moves_in(plies), " move", " moves");
    return text;
}

struct nk_text nk_distance_text(int plies)
{
    struct nk_text text;
    char *out = put_count(text.s, nk_moves_in(plies), " move", " moves");
    out = put_count(nk_put_text(out, " ("), plies, " ply", " plies");
    (void)nk_put_text(out, ")");
    return text;
}
