#include "player/record.h"

#include <stdlib.h>

enum nk_status nk_record_write(const struct nk_game *game, FILE *stream, struct nk_error *error)
{
    char *record = nk_record_text(game);
    if (!record)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the record of the game");
    fputs(record, stream);
    free(record);
    return ferror(stream) ? nk_fail(error, NK_E_WRITE, 0, "cannot write the record of the game") : NK_OK;
}
