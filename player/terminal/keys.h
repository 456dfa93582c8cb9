/* Single keys from a terminal. */
#ifndef NK_KEYS_H
#define NK_KEYS_H

/* Any other key is its character, Enter '\r'. */
enum key {
    KEY_END = -20, /* the end of input, or Ctrl-D */
    KEY_RESIZED,   /* the terminal has another size, or the program was suspended: draw again */
    KEY_UP,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_FIRST,
    KEY_LAST,
    KEY_UNKNOWN
};

/* Reads keys as they are typed, without showing them, until keys_close. Ctrl-Z suspends the program, with the settings
 * that the terminal had before; signals restore these and end it, SIGINT with status 130. Standard input must be a
 * terminal. */
void keys_open(void);
void keys_close(void);

/* Waits for a key: an enum key or a character. */
int keys_read(void);

#endif
