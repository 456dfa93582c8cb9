/* Runs a fuzz target on files: those named on the command line, and all files of the directories named there.
 */

#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

static int count;

/* The bytes are just as many as the file has, so that a sanitizer sees who reads beyond. */
static void replay(const char *path)
{
    struct stat about;
    FILE *file = fopen(path, "rb");
    CHECK(file && !fstat(fileno(file), &about));
    const size_t size = (size_t)about.st_size;
    uint8_t *data = malloc(size ? size : 1);
    CHECK(data && fread(data, 1, size, file) == size);
    fclose(file);
    fprintf(stderr, "%s\n", path); /* the last one named is the one that fails */
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    printf("ok %d - %s\n", ++count, strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct dirent **names;
        const int found = scandir(argv[i], &names, NULL, alphasort);
        if (found < 0)
            replay(argv[i]);
        for (int n = 0; n < found; n++) {
            char path[PATH_MAX];
            const int length = snprintf(path, sizeof path, "%s/%s", argv[i], names[n]->d_name);
            CHECK(length > 0 && (size_t)length < sizeof path);
            if (names[n]->d_name[0] != '.')
                replay(path);
            free(names[n]);
        }
        if (found >= 0)
            free(names);
    }
    CHECK(count > 0);
    printf("1..%d\n", count);
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
