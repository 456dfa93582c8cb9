#include "common/base/distance.h"

#include "common/base/strbuf.h"

int nk_moves_in(int plies)
{
    return plies / 2 + plies % 2;
}

struct nk_text nk_moves_text(int plies)
{
    struct nk_text text = {""};
    const int moves = nk_moves_in(plies);
    nk_strbuf_add(&(struct nk_strbuf){text.s, sizeof text.s, 0}, "%d move%s", moves, moves == 1 ? "" : "s");
    return text;
}

struct nk_text nk_distance_text(int plies)
{
    struct nk_text text = {""};
    nk_strbuf_add(&(struct nk_strbuf){text.s, sizeof text.s, 0}, "%s (%d %s)", nk_moves_text(plies).s, plies,
                  plies == 1 ? "ply" : "plies");
    return text;
}
