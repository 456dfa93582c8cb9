/* Signals and the console of a program on Windows. */

#include "common/program/program.h"

#include "common/system/system.h"

#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <windows.h>

/* Removes unfinished files when the program is interrupted or its console is closed; the default handler then ends
 * it. */
static BOOL WINAPI end_by_event(DWORD event)
{
    (void)event;
    nk_file_remove_unfinished();
    return false;
}

static atomic_bool *first_interrupt; /* what it sets */

/* The system has restored the default: the next one leads to end_by_event. */
static void interrupt(int number)
{
    (void)number;
    atomic_store(first_interrupt, true);
}

void nk_program_catch_interrupt(atomic_bool *interrupted)
{
    first_interrupt = interrupted;
    if (signal(SIGINT, interrupt) == SIG_IGN)
        (void)signal(SIGINT, SIG_IGN);
}

void nk_program_begin(void)
{
    DWORD mode;
    const DWORD outputs[] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    /* Otherwise a console would get each byte by itself, and no character of several bytes. */
    (void)setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
    _fmode = _O_BINARY; /* of files that are opened from here on */
    for (int stream = 0; stream <= 2; stream++)
        (void)_setmode(stream, _O_BINARY);
    for (int i = 0; i < 2; i++)
        if (GetConsoleMode(GetStdHandle(outputs[i]), &mode)) {
            (void)SetConsoleMode(GetStdHandle(outputs[i]), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
            (void)SetConsoleOutputCP(CP_UTF8);
        }
    if (GetConsoleMode(GetStdHandle(STD_INPUT_HANDLE), &mode))
        (void)SetConsoleCP(CP_UTF8);
    (void)SetConsoleCtrlHandler(end_by_event, true);
}
