#include "program.h"

#include "file.h"

#include <signal.h>

void nk_program_begin(void)
{
    nk_file_fill_standard();
    signal(SIGXFSZ, SIG_IGN);
}
