/* For MemorySanitizer, which does not see what zlib writes unless zlib were compiled for it, nor, with a C
 * library newer than it, what stat does: says of what they have written that it is there, and checks what
 * zlib is given. The linker puts these in their place (--wrap). */

#include <sanitizer/msan_interface.h>
#include <sys/stat.h>
#include <zlib.h>

/* Functions of zlib that fill in the stream, which is known afterwards. */
#define WRAP(name, parameters, arguments)          \
    int __real_##name parameters;                  \
    int __wrap_##name parameters;                  \
    int __wrap_##name parameters                   \
    {                                              \
        const int state = __real_##name arguments; \
        __msan_unpoison(stream, sizeof *stream);   \
        return state;                              \
    }
WRAP(deflateInit_, (z_streamp stream, int level, const char *version, int size),
     (stream, level, version, size))
WRAP(deflateInit2_,
     (z_streamp stream, int level, int method, int bits, int memory, int strategy, const char *version,
      int size),
     (stream, level, method, bits, memory, strategy, version, size))
WRAP(inflateInit_, (z_streamp stream, const char *version, int size), (stream, version, size))
WRAP(deflateReset, (z_streamp stream), (stream))

int __real_deflate(z_streamp stream, int flush);
int __real_inflate(z_streamp stream, int flush);
int __real_uncompress2(Bytef *to, uLongf *length, const Bytef *from, uLong *size);
int __wrap_deflate(z_streamp stream, int flush);
int __wrap_inflate(z_streamp stream, int flush);
int __wrap_uncompress2(Bytef *to, uLongf *length, const Bytef *from, uLong *size);

static int pass(int (*real)(z_streamp, int), z_streamp stream, int flush)
{
    Bytef *out = stream->next_out;
    __msan_check_mem_is_initialized(stream, sizeof *stream);
    __msan_check_mem_is_initialized(stream->next_in, stream->avail_in);
    const int state = real(stream, flush);
    __msan_unpoison(stream, sizeof *stream);
    __msan_unpoison(out, (size_t)(stream->next_out - out));
    return state;
}

int __wrap_deflate(z_streamp stream, int flush)
{
    return pass(__real_deflate, stream, flush);
}

int __wrap_inflate(z_streamp stream, int flush)
{
    return pass(__real_inflate, stream, flush);
}

int __wrap_uncompress2(Bytef *to, uLongf *length, const Bytef *from, uLong *size)
{
    __msan_check_mem_is_initialized(from, *size);
    const int state = __real_uncompress2(to, length, from, size);
    __msan_unpoison(size, sizeof *size);
    __msan_unpoison(length, sizeof *length);
    __msan_unpoison(to, *length);
    return state;
}

#define WRAP_STAT(name, type)                         \
    int __real_##name(type file, struct stat *about); \
    int __wrap_##name(type file, struct stat *about); \
    int __wrap_##name(type file, struct stat *about)  \
    {                                                 \
        const int state = __real_##name(file, about); \
        if (state == 0)                               \
            __msan_unpoison(about, sizeof *about);    \
        return state;                                 \
    }
WRAP_STAT(stat64, const char *)
WRAP_STAT(lstat64, const char *)
WRAP_STAT(fstat64, int)

int __real_fstatat64(int directory, const char *name, struct stat *about, int flags);
int __wrap_fstatat64(int directory, const char *name, struct stat *about, int flags);
int __wrap_fstatat64(int directory, const char *name, struct stat *about, int flags)
{
    const int state = __real_fstatat64(directory, name, about, flags);
    if (state == 0)
        __msan_unpoison(about, sizeof *about);
    return state;
}
