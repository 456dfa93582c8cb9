/* A question to the caller of work that may take long: whether to stop. */
#ifndef NK_STOP_H
#define NK_STOP_H

#include <stdbool.h>

struct nk_stop {
    bool (*is_wanted)(void *context); /* called by the thread that works */
    void *context;
};

#endif
