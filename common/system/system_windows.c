/* What common/system/system.h declares, on Windows. */

#define _CRT_RAND_S
#include "common/system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <windows.h>

/* A manifest (program_windows.manifest) makes UTF-8 the encoding of all functions whose names end with A, and so of
 * those of the C library. */

/* Sets errno from the error of the last function of Windows. Returns false. */
static bool fail(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT:
        errno = EACCES;
        break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        errno = ENOSPC;
        break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        errno = ENOMEM;
        break;
    default:
        errno = EIO;
    }
    return false;
}

/* The same for functions that return a number. Returns -1. */
static int fail_with_number(void)
{
    (void)fail();
    return -1;
}

/* The text of the C library belongs to the thread. */
struct nk_text nk_system_error(int number)
{
    return nk_text_of("%s", strerror(number));
}

static HANDLE handle_of(int file)
{
    return (HANDLE)_get_osfhandle(file);
}

/* ---- the process and the machine ---- */

static bool is_absolute(const char *path)
{
    const bool has_drive = *path && path[1] == ':';
    return has_drive ? path[2] == '/' || path[2] == '\\'
                     : (*path == '/' || *path == '\\') && (path[1] == '/' || path[1] == '\\');
}

char *nk_system_user_directory(const char *variable, const char *below_home)
{
    const char *named = getenv(variable), *local = getenv("LOCALAPPDATA");
    (void)below_home;
    if (named && is_absolute(named))
        return strdup(named);
    return local && *local ? strdup(local) : NULL;
}

int nk_system_processors(void)
{
    DWORD_PTR own, all;
    if (GetProcessAffinityMask(GetCurrentProcess(), &own, &all) && own)
        return __builtin_popcountll(own);
    return 1;
}

uint64_t nk_system_available_memory(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return GlobalMemoryStatusEx(&memory) ? memory.ullAvailPhys : 0;
}

bool nk_system_free_space(const char *directory, uint64_t *bytes)
{
    ULARGE_INTEGER available;
    if (!GetDiskFreeSpaceExA(directory, &available, NULL, NULL))
        return false;
    *bytes = available.QuadPart;
    return true;
}

double nk_system_now(void)
{
    LARGE_INTEGER count, frequency; /* neither function fails since Windows XP */
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (double)count.QuadPart / (double)frequency.QuadPart;
}

uint64_t nk_system_random(void)
{
    unsigned high, low;
    if (rand_s(&high) || rand_s(&low))
        return (uint64_t)time(NULL);
    return (uint64_t)high << 32 | low;
}

void *nk_system_map(size_t bytes)
{
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void nk_system_unmap(void *memory, size_t bytes)
{
    (void)bytes;
    if (memory)
        (void)VirtualFree(memory, 0, MEM_RELEASE);
}

/* ---- files ---- */

void nk_system_open_missing_streams(void)
{
    /* The C library never gives the descriptors of the standard streams to other files. */
}

/* Others may delete or rename a file that is open, as on other systems. */
enum { SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

/* Turns a handle, which may be invalid, into a file descriptor. */
static int descriptor_of(HANDLE handle, int flags)
{
    if (handle == INVALID_HANDLE_VALUE) {
        (void)fail();
        return -1;
    }
    const int file = _open_osfhandle((intptr_t)handle, flags | _O_BINARY | _O_NOINHERIT);
    if (file < 0)
        (void)CloseHandle(handle);
    return file;
}

int nk_system_open(const char *path, int flags)
{
    const int mode = flags & (_O_RDONLY | _O_WRONLY | _O_RDWR);
    const DWORD access = mode == _O_RDWR     ? GENERIC_READ | GENERIC_WRITE
                         : mode == _O_WRONLY ? GENERIC_WRITE
                                             : GENERIC_READ;
    const DWORD how = !(flags & _O_CREAT) ? OPEN_EXISTING : flags & _O_TRUNC ? CREATE_ALWAYS : OPEN_ALWAYS;
    const DWORD attributes = GetFileAttributesA(path);
    if (attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY) {
        errno = EISDIR;
        return -1;
    }
    return descriptor_of(CreateFileA(path, access, SHARED, NULL, how, FILE_ATTRIBUTE_NORMAL, NULL), mode);
}

char *nk_system_follow_links(const char *path)
{
    char target[MAX_PATH * 4];
    const DWORD attributes = GetFileAttributesA(path);
    if (attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_REPARSE_POINT) {
        HANDLE file = CreateFileA(path, 0, SHARED, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
        const DWORD length = file == INVALID_HANDLE_VALUE
                                 ? 0
                                 : GetFinalPathNameByHandleA(file, target, sizeof target, VOLUME_NAME_DOS);
        if (file != INVALID_HANDLE_VALUE)
            (void)CloseHandle(file);
        if (length && length < sizeof target)
            return strdup(target);
    }
    return _fullpath(NULL, path, 0);
}

int nk_system_create(const char *path, bool is_private)
{
    (void)is_private; /* a directory gives its files the permissions that it has */
    return descriptor_of(CreateFileA(path, GENERIC_READ | GENERIC_WRITE, SHARED, NULL, CREATE_NEW,
                                     FILE_ATTRIBUTE_NORMAL, NULL),
                         _O_RDWR);
}

int nk_system_create_unnamed(const char *path)
{
    char directory[MAX_PATH * 4] = ".", name[MAX_PATH * 4];
    const size_t before = path ? (size_t)(nk_system_file_name(path) - path) : 0;
    if (before >= sizeof directory) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (before) {
        memcpy(directory, path, before);
        directory[before] = '\0';
    }
    const DWORD length = path ? 1 : GetTempPathA(sizeof directory, directory);
    if (!length || length >= sizeof directory || !GetTempFileNameA(directory, "nk", 0, name)) {
        (void)fail();
        return -1;
    }
    return descriptor_of(CreateFileA(name, GENERIC_READ | GENERIC_WRITE, SHARED, NULL, CREATE_ALWAYS,
                                     FILE_FLAG_DELETE_ON_CLOSE, NULL),
                         _O_RDWR);
}

bool nk_system_rename(const char *from, const char *to, bool replaces)
{
    const DWORD how = MOVEFILE_WRITE_THROUGH | (replaces ? MOVEFILE_REPLACE_EXISTING : 0);
    return MoveFileExA(from, to, how) || fail();
}

void nk_system_flush_directory(const char *path)
{
    (void)path; /* MOVEFILE_WRITE_THROUGH has done it */
}

bool nk_system_may_replace(const char *path, const struct stat *old)
{
    (void)path, (void)old;
    return true;
}

/* Reads or writes this many bytes at a time. */
static DWORD chunk_of(size_t length)
{
    enum { MOST = 1 << 30 };
    return length < MOST ? (DWORD)length : MOST;
}

static OVERLAPPED place_of(uint64_t offset)
{
    return (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
}

ptrdiff_t nk_system_read_at(int file, void *bytes, size_t length, uint64_t offset)
{
    OVERLAPPED place = place_of(offset);
    DWORD done;
    if (ReadFile(handle_of(file), bytes, chunk_of(length), &done, &place))
        return (ptrdiff_t)done;
    return GetLastError() == ERROR_HANDLE_EOF ? 0 : fail_with_number();
}

ptrdiff_t nk_system_write_at(int file, const void *bytes, size_t length, uint64_t offset)
{
    OVERLAPPED place = place_of(offset);
    DWORD done;
    if (WriteFile(handle_of(file), bytes, chunk_of(length), &done, &place))
        return (ptrdiff_t)done;
    return fail_with_number();
}

bool nk_system_reserve(int file, uint64_t bytes)
{
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = (LONGLONG)bytes};
    return SetFileInformationByHandle(handle_of(file), FileEndOfFileInfo, &end, sizeof end) || fail();
}

void nk_system_prefetch(int file, uint64_t offset, uint64_t bytes)
{
    (void)file, (void)offset, (void)bytes;
}

bool nk_system_flush(int file)
{
    return FlushFileBuffers(handle_of(file)) || fail();
}

void nk_system_copy_permissions(int file, const struct stat *other)
{
    (void)file, (void)other;
}

int64_t nk_system_change_time(const struct stat *file)
{
    return (int64_t)file->st_mtime * 1000000000;
}

const char *nk_system_file_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (strchr("/\\:", *path))
            name = path + 1;
    return name;
}

bool nk_system_make_directory(const char *path, bool is_private)
{
    (void)is_private;
    return CreateDirectoryA(path, NULL) || fail();
}

int nk_system_lock_directory(const char *path)
{
    /* Nobody else can open it to add files, as every lock does; listing it and creating files in it need not. */
    HANDLE handle = CreateFileA(path, FILE_ADD_FILE, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE && GetLastError() == ERROR_SHARING_VIOLATION) {
        errno = EWOULDBLOCK;
        return -1;
    }
    return descriptor_of(handle, _O_RDONLY);
}

void nk_system_unlock_directory(int lock, const char *path, bool removes)
{
    _close(lock);
    if (removes)
        (void)RemoveDirectoryA(path);
}

/* ---- terminals ---- */

/* _isatty is also true for the device NUL. */
bool nk_system_is_terminal(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode(handle_of(_fileno(stream)), &mode);
}

/* nk_program_begin has asked for escape sequences, which Windows has since version 10. */
bool nk_system_is_screen(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode(handle_of(_fileno(stream)), &mode) && mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING;
}

int nk_system_columns(FILE *stream)
{
    CONSOLE_SCREEN_BUFFER_INFO screen;
    const bool is_known = GetConsoleScreenBufferInfo(handle_of(_fileno(stream)), &screen);
    return is_known ? screen.srWindow.Right - screen.srWindow.Left + 1 : 80;
}

bool nk_system_has_utf8(void)
{
    return GetConsoleOutputCP() == CP_UTF8;
}

/* What is typed at a console is not noticed before the line is read. */
bool nk_system_has_input(int file)
{
    HANDLE handle = handle_of(file);
    DWORD bytes = 0;
    switch (GetFileType(handle)) {
    case FILE_TYPE_DISK:
        return true;
    case FILE_TYPE_PIPE:
        return !PeekNamedPipe(handle, NULL, 0, NULL, &bytes, NULL) || bytes; /* it fails at the end */
    default:
        return false;
    }
}

bool nk_system_has_reader(int file)
{
    (void)file;
    return true;
}
