#include "player/commands/arguments.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

bool read_number(const char *command, const char *option, const char *text, uint64_t least, uint64_t most,
                 uint64_t *number)
{
    char *end;
    errno = 0;
    /* strtoull alone would take blanks and signs. */
    const bool digit = text[0] >= '0' && text[0] <= '9';
    const unsigned long long value = digit ? strtoull(text, &end, 10) : 0;
    if (!digit || *end)
        fprintf(stderr, "neutreeko %s: %s takes a number, not '%s'\n", command, option, text);
    else if (errno || value < least || value > most)
        fprintf(stderr, "neutreeko %s: %s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'\n",
                command, option, least, most, text);
    else {
        *number = value;
        return true;
    }
    return false;
}

uint64_t fresh_seed(void)
{
    uint64_t seed = (uint64_t)time(NULL); /* it will do where the system has no better */
    const ssize_t got = getrandom(&seed, sizeof seed, 0);
    (void)got;
    return seed;
}
