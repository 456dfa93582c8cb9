/* Does what a sanitizer or valgrind must notice: leak, overrun, overflow, uninitialised or race
 * (scripts/check sanitizers). Usage: planted-run FAULT */

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *count(void *counter)
{
    for (int i = 0; i < 1000; i++)
        ++*(volatile int *)counter;
    return NULL;
}

int main(int argc, char **argv)
{
    const char *fault = argc == 2 ? argv[1] : "";
    const int one = argc - 1; /* which the compiler does not know */
    volatile char *block = malloc(8);
    volatile int number = INT_MAX;
    int counter = 0;
    pthread_t thread;
    if (!block)
        return EXIT_FAILURE;
    if (!strcmp(fault, "leak"))
        block = NULL;
    else if (!strcmp(fault, "overrun"))
        block[7 + one] = 1;
    else if (!strcmp(fault, "overflow"))
        number += one;
    else if (!strcmp(fault, "uninitialised") && block[3] == 77)
        puts("");
    else if (!strcmp(fault, "race") && !pthread_create(&thread, NULL, count, &counter)) {
        count(&counter);
        pthread_join(thread, NULL);
    }
    free((void *)block);
    return number ? EXIT_SUCCESS : EXIT_FAILURE;
}
