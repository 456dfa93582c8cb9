/* Runs a fuzz target: replay-TARGET FILE..., of which each is an input, such as one that a fuzzer has found, or
 * replay-TARGET --seeds FILE [DIRECTORY], which runs all in one of the files of tests/fuzz/corpus, and writes them to
 * the directory for a fuzzer. Such a file has for each seed a line "NAME SIZE", its bytes, and an end of line:
 *
 *     printf '%s %d\n' NAME "$(wc -c <FOUND)" | cat - FOUND <(echo) >>tests/fuzz/corpus/TARGET
 */

#include "tests/fuzz/fuzz.h"

static void run(const char *name, const uint8_t *bytes, size_t size, int number)
{
    uint8_t *data = copy_of(bytes, size);
    fprintf(stderr, "%s\n", name); /* the last one named is the one that fails */
    LLVMFuzzerTestOneInput(data, size);
    printf("ok %d - %s\n", number, name);
    free(data);
}

static int run_seeds(const char *path, const char *directory)
{
    AUTO_BYTES file = read_bytes(path);
    int count = 0;
    for (size_t at = 0; at < file.size;) {
        char name[64], copy[4096];
        size_t size;
        int length;
        CHECK(sscanf((const char *)file.data + at, "%63s %zu%n", name, &size, &length) == 2);
        at += (size_t)length + 1;
        CHECK(at + size < file.size);
        CHECK(file.data[at + size] == '\n');
        snprintf(copy, sizeof copy, "%s/%s", directory, name);
        if (*directory)
            write_bytes(copy, file.data + at, size);
        run(name, file.data + at, size, ++count);
        at += size + 1;
    }
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    if (argc >= 3 && strcmp(argv[1], "--seeds") == 0)
        count = run_seeds(argv[2], argc > 3 ? argv[3] : "");
    else
        for (int i = 1; i < argc; i++) {
            AUTO_BYTES file = read_bytes(argv[i]);
            run(argv[i], file.data, file.size, ++count);
        }
    printf("1..%d\n", count);
    return count == 0 || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
