#include "common/base/distance.h"

#include "common/base/strbuf.h"

int nk_moves_in(int plies)
{
    return plies / 2 + plies % 2;
}

struct nk_text nk_moves_text(int plies)
{
    const int moves = nk_moves_in(plies);
    return nk_text_of("%d move%s", moves, moves == 1 ? "" : "s");
}

struct nk_text nk_distance_text(int plies)
{
    return nk_text_of("%s (%d %s)", nk_moves_text(plies).s, plies, plies == 1 ? "ply" : "plies");
}
