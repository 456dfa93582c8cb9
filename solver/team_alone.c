#include "solver/team.h"

#include <string.h>

void nk_team_begin(int *argc, char ***argv)
{
    (void)argc, (void)argv;
}

void nk_team_end(void) {}

int nk_team_rank(void)
{
    return 0;
}

int nk_team_size(void)
{
    return 1;
}

int nk_team_beside(void)
{
    return 1;
}

void nk_team_sum(uint64_t *values, size_t count)
{
    (void)values, (void)count;
}

uint64_t nk_team_least(uint64_t value)
{
    return value;
}

void nk_team_set_last_line(const char *line)
{
    (void)line;
}

void nk_team_trade_bytes(const uint8_t *out, const int *counts, uint8_t *in, const int *received)
{
    (void)received;
    memcpy(in, out, (size_t)counts[0]);
}

void nk_team_trade_words(const uint64_t *out, const int *counts, uint64_t *in, const int *received)
{
    (void)received;
    memcpy(in, out, (size_t)counts[0] * sizeof *in);
}

/* There is nobody to send to. */
void nk_team_send(const uint8_t *bytes, size_t length)
{
    (void)bytes, (void)length;
}

void nk_team_receive(int from, uint8_t *bytes, size_t length)
{
    (void)from, (void)bytes, (void)length;
}
