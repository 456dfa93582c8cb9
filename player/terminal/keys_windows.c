#include "player/terminal/keys.h"

#include <conio.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_INTERRUPTED = 130, CTRL_C = 3, CTRL_D = 4, CTRL_Z = 26 };

void keys_open(void) {}

void keys_close(void) {}

/* Reads the second half of a key other than a character. */
static int read_special(void)
{
    switch (_getch()) {
    case 'H':
        return KEY_UP;
    case 'P':
        return KEY_DOWN;
    case 'K':
        return KEY_LEFT;
    case 'M':
        return KEY_RIGHT;
    case 'G':
        return KEY_FIRST;
    case 'O':
        return KEY_LAST;
    default:
        return KEY_UNKNOWN;
    }
}

int keys_read(void)
{
    const int key = _getch();
    switch (key) {
    case 0:
    case 0xe0:
        return read_special();
    case CTRL_C:
        exit(EXIT_INTERRUPTED);
    case CTRL_D:
    case CTRL_Z:
    case EOF:
        return KEY_END;
    default:
        return key;
    }
}
