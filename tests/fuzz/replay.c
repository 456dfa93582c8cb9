/* Runs a fuzz target on files. Each argument is the name of one or a pattern, such as 'corpus/checkpoint/?*'. */

#include "tests/fuzz/fuzz.h"

#include <glob.h>

int main(int argc, char **argv)
{
    glob_t found = {0};
    for (int i = 1; i < argc; i++)
        CHECK(!glob(argv[i], i > 1 ? GLOB_APPEND : 0, NULL, &found));
    CHECK(found.gl_pathc > 0);
    printf("1..%zu\n", found.gl_pathc);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        AUTO_BYTES file = read_bytes(found.gl_pathv[i]);
        uint8_t *data = copy_of(file.data, file.size);
        fprintf(stderr, "%s\n", found.gl_pathv[i]); /* the last one named is the one that fails */
        LLVMFuzzerTestOneInput(data, file.size);
        printf("ok %zu - %s\n", i + 1, found.gl_pathv[i]);
        free(data);
    }
    globfree(&found);
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
