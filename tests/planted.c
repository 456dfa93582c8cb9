/* A fault in each function, for the analyzers: scripts/checks/analyzers names what each of them must notice. Nothing
 * here is compiled. */

#include "common/base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int leak(int which)
{
    char *block = malloc(8);
    if (!block || which == 1)
        return 1;
    free(block);
    return 0;
}

static int free_twice(int which)
{
    char *block = calloc(8, 1);
    if (!block || puts(block) < which)
        free(block);
    free(block);
    return 0;
}

static int overrun(int which)
{
    char two[2] = "";
    two[2] = (char)which;
    return two[0];
}

static int use_nowhere(int which)
{
    int *nowhere = NULL;
    if (which)
        *nowhere = which;
    else
        memcpy(nowhere, &which, sizeof which);
    return 0;
}

/* Says that it has a result also where it has none. */
static enum nk_status find(int which, int *result)
{
    if (which > 1)
        return nk_fail(NULL, NK_E_MEMORY, 0, "none");
    if (which)
        *result = which;
    return NK_OK;
}

static int add_to_no_result(int which)
{
    int result;
    return find(which, &result) ? 0 : result + 1;
}

static int print_no_result(int which)
{
    int result;
    return find(which, &result) ? 0 : printf("%d", result);
}

static int copy_no_result(int which)
{
    int result, copy = 0;
    if (!find(which, &result))
        copy = result;
    return copy;
}

int (*const nk_planted[])(int which) = {
    leak, free_twice, overrun, use_nowhere, add_to_no_result, print_no_result, copy_no_result};
