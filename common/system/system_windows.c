/* What common/system/system.h declares, on Windows. */

#define _CRT_RAND_S
#include "common/system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <windows.h>

/* Paths and all other texts are UTF-8. A manifest (program_windows.manifest) makes that the encoding of the C library,
 * which gives the arguments and the environment. The functions of Windows get paths in UTF-16 (wide_path). */

/* Sets errno from the error of the last function of Windows. Returns false. */
static bool fail(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_DIRECTORY: /* what is there is none */
    case ERROR_INVALID_DRIVE:
    case ERROR_NO_UNICODE_TRANSLATION:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_LOCK_VIOLATION:
    case ERROR_SHARING_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
    case ERROR_WRITE_PROTECT:
        errno = EACCES;
        break;
    case ERROR_FILENAME_EXCED_RANGE:
        errno = ENAMETOOLONG;
        break;
    case ERROR_DIR_NOT_EMPTY:
        errno = ENOTEMPTY;
        break;
    case ERROR_INVALID_FUNCTION: /* of a device */
    case ERROR_NOT_SUPPORTED:
        errno = ENODEV;
        break;
    case ERROR_TOO_MANY_OPEN_FILES:
        errno = EMFILE;
        break;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
    case ERROR_PIPE_NOT_CONNECTED:
        errno = EPIPE;
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

/* ---- paths ---- */

/* A text in UTF-16, which the caller frees. NULL after a failure. */
static wchar_t *wide_of(const char *text)
{
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = length ? malloc((size_t)length * sizeof *wide) : NULL;
    if (wide)
        (void)MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, length);
    else
        errno = length ? ENOMEM : ENOENT;
    return wide;
}

/* The same in UTF-8. */
static char *narrow_of(const wchar_t *text)
{
    const int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *narrow = malloc((size_t)length + 1);
    if (narrow)
        (void)WideCharToMultiByte(CP_UTF8, 0, text, -1, narrow, length, NULL, NULL);
    return narrow;
}

/* A path from the root on, as Windows takes it: a long one needs a prefix that stands for no limit. The caller frees
 * it. NULL after a failure. */
static wchar_t *wide_path(const char *path)
{
    enum { LONG = 240, PREFIX = 8 }; /* a directory is to have room for names of MS-DOS */
    wchar_t *given = wide_of(path);
    const DWORD room = given ? GetFullPathNameW(given, 0, NULL, NULL) : 0;
    wchar_t *whole = room ? malloc((room + PREFIX) * sizeof *whole) : NULL;
    if (given && !room)
        (void)fail();
    else if (given && !whole)
        errno = ENOMEM;
    if (whole) {
        const DWORD length = GetFullPathNameW(given, room, whole + PREFIX, NULL);
        const wchar_t *found = whole + PREFIX;
        const bool is_share = found[0] == L'\\' && found[1] == L'\\';
        const bool has_prefix = is_share && (found[2] == L'?' || found[2] == L'.');
        const wchar_t *prefix = length < LONG || has_prefix ? L"" : is_share ? L"\\\\?\\UNC" : L"\\\\?\\";
        const size_t before = wcslen(prefix), skipped = *prefix && is_share; /* one of two separators */
        memcpy(whole, prefix, before * sizeof *whole);
        memmove(whole + before, found + skipped, (length + 1 - skipped) * sizeof *whole);
    }
    free(given);
    return whole;
}

/* ---- the process and the machine ---- */

static bool is_absolute(const char *path)
{
    const bool has_drive = *path && path[1] == ':';
    return has_drive ? path[2] == '/' || path[2] == '\\'
                     : (*path == '/' || *path == '\\') && (path[1] == '/' || path[1] == '\\');
}

char *nk_system_user_path(const char *variable, const char *below_home, const char *name)
{
    const char *named = getenv(variable), *local = getenv("LOCALAPPDATA");
    const char *directory = named && is_absolute(named) ? named : local;
    char *path;
    (void)below_home;
    errno = 0;
    if (!directory || !*directory)
        return NULL;
    if (asprintf(&path, "%s/neutreeko/%s", directory, name) >= 0)
        return path;
    errno = ENOMEM;
    return NULL;
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
    wchar_t *wide = wide_path(directory);
    const bool is_known = wide && GetDiskFreeSpaceExW(wide, &available, NULL, NULL);
    free(wide);
    if (is_known)
        *bytes = available.QuadPart;
    return is_known;
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

void *nk_system_allocate(size_t bytes)
{
    return calloc(1, bytes);
}

void nk_system_free(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
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

/* Opens what CreateFileW opens, or INVALID_HANDLE_VALUE. */
static HANDLE open_handle(const char *path, DWORD access, DWORD how, DWORD attributes)
{
    wchar_t *wide = wide_path(path);
    HANDLE handle =
        wide ? CreateFileW(wide, access, SHARED, NULL, how, attributes, NULL) : INVALID_HANDLE_VALUE;
    const DWORD why = wide ? GetLastError() : ERROR_PATH_NOT_FOUND;
    free(wide);
    SetLastError(why);
    return handle;
}

static DWORD attributes_of(const char *path)
{
    wchar_t *wide = wide_path(path);
    const DWORD attributes = wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    const DWORD why = wide ? GetLastError() : ERROR_PATH_NOT_FOUND;
    free(wide);
    SetLastError(why);
    return attributes;
}

int nk_system_open(const char *path, int flags)
{
    const int mode = flags & (_O_RDONLY | _O_WRONLY | _O_RDWR);
    const DWORD access = mode == _O_RDWR     ? GENERIC_READ | GENERIC_WRITE
                         : mode == _O_WRONLY ? GENERIC_WRITE
                                             : GENERIC_READ;
    const DWORD how = !(flags & _O_CREAT) ? OPEN_EXISTING : flags & _O_TRUNC ? CREATE_ALWAYS : OPEN_ALWAYS;
    const DWORD attributes = attributes_of(path);
    if (attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY) {
        errno = EISDIR;
        return -1;
    }
    return descriptor_of(open_handle(path, access, how, FILE_ATTRIBUTE_NORMAL), mode);
}

static bool has_lost_reader;

/* A pipe whose reader leaves during a write may take nothing without an error; then the C library sets EINVAL. */
void nk_system_note_lost_reader(void)
{
    const unsigned long why = _doserrno;
    has_lost_reader |= why == ERROR_BROKEN_PIPE || why == ERROR_NO_DATA || why == ERROR_PIPE_NOT_CONNECTED ||
                       (why == ERROR_SUCCESS && errno == EINVAL);
}

bool nk_system_has_lost_reader(void)
{
    return has_lost_reader;
}

FILE *nk_system_open_stream(const char *path)
{
    const int file = nk_system_open(path, _O_RDONLY);
    FILE *const stream = file < 0 ? NULL : _fdopen(file, "rb");
    if (file >= 0 && !stream)
        _close(file);
    return stream;
}

char *nk_system_follow_links(const char *path)
{
    enum { LONGEST = 32768 };
    const DWORD attributes = attributes_of(path);
    wchar_t *target = NULL;
    if (attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_REPARSE_POINT) {
        HANDLE file = open_handle(path, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
        if (file != INVALID_HANDLE_VALUE && (target = malloc(LONGEST * sizeof *target))) {
            const DWORD length = GetFinalPathNameByHandleW(file, target, LONGEST, VOLUME_NAME_DOS);
            if (!length || length >= LONGEST) {
                free(target);
                target = NULL;
            }
        }
        if (file != INVALID_HANDLE_VALUE)
            (void)CloseHandle(file);
    }
    if (!target && !(target = wide_path(path)))
        return NULL;
    char *const found = narrow_of(target);
    free(target);
    return found;
}

int nk_system_create(const char *path, bool is_private)
{
    (void)is_private; /* a directory gives its files the permissions that it has */
    return descriptor_of(open_handle(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW, FILE_ATTRIBUTE_NORMAL),
                         _O_RDWR);
}

int nk_system_create_unnamed(const char *path)
{
    char directory[MAX_PATH * 4] = "", name[40];
    const size_t before = path ? (size_t)(nk_system_file_name(path) - path) : 0;
    const DWORD length = path ? (DWORD)before : GetTempPathA(sizeof directory, directory);
    char *const whole = malloc(length + sizeof name);
    if (!whole || (!path && (!length || length >= sizeof directory))) {
        if (whole)
            (void)fail();
        free(whole);
        return -1;
    }
    memcpy(whole, path ? path : directory, length);
    snprintf(whole + length, sizeof name, ".new-%016llx", (unsigned long long)nk_system_random());
    const int file = descriptor_of(open_handle(whole, GENERIC_READ | GENERIC_WRITE, CREATE_NEW,
                                               FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE),
                                   _O_RDWR);
    free(whole);
    return file;
}

/* Whether the last function failed because somebody else has the file open, and should be tried again: virus scanners
 * and indexers have each new file open for a moment. `*until`, at first 0, is when it is too late. */
static bool waits_for_others(ULONGLONG *until)
{
    enum { PATIENCE = 2000, PAUSE = 10 }; /* milliseconds */
    const DWORD why = GetLastError();
    const ULONGLONG now = GetTickCount64();
    if (why != ERROR_ACCESS_DENIED && why != ERROR_SHARING_VIOLATION && why != ERROR_LOCK_VIOLATION &&
        why != ERROR_USER_MAPPED_FILE && why != ERROR_DIR_NOT_EMPTY)
        return false;
    if (!*until)
        *until = now + PATIENCE;
    if (now < *until)
        Sleep(PAUSE);
    SetLastError(why);
    return now < *until;
}

bool nk_system_rename(const char *from, const char *to, bool replaces)
{
    const DWORD how = MOVEFILE_WRITE_THROUGH | (replaces ? MOVEFILE_REPLACE_EXISTING : 0);
    wchar_t *wide_from = wide_path(from), *wide_to = wide_from ? wide_path(to) : NULL;
    ULONGLONG until = 0;
    bool is_renamed = false;
    while (wide_to && !(is_renamed = MoveFileExW(wide_from, wide_to, how)) && waits_for_others(&until))
        ;
    if (wide_to && !is_renamed)
        (void)fail();
    free(wide_from);
    free(wide_to);
    return is_renamed;
}

/* Removes a file or an empty directory with a function of Windows. */
static bool remove_with(BOOL(WINAPI *function)(LPCWSTR), const char *path)
{
    wchar_t *wide = wide_path(path);
    ULONGLONG until = 0;
    bool is_removed = false;
    while (wide && !(is_removed = function(wide)) && waits_for_others(&until))
        ;
    if (wide && !is_removed)
        (void)fail();
    free(wide);
    return is_removed;
}

bool nk_system_remove(const char *path)
{
    return remove_with(DeleteFileW, path);
}

bool nk_system_stat(const char *path, struct stat *about)
{
    BY_HANDLE_FILE_INFORMATION found;
    HANDLE file = open_handle(path, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (file == INVALID_HANDLE_VALUE)
        return fail();
    memset(about, 0, sizeof *about);
    if (GetFileType(file) != FILE_TYPE_DISK || !GetFileInformationByHandle(file, &found)) {
        about->st_mode = S_IFCHR;
    } else {
        const uint64_t time =
            (uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime;
        about->st_mode = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR : S_IFREG;
        about->st_dev = found.dwVolumeSerialNumber;
        about->st_size = (off_t)((uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow);
        about->st_mtime = (time_t)(time / 10000000 - UINT64_C(11644473600)); /* from 1601 to 1970 */
    }
    (void)CloseHandle(file);
    return true;
}

/* Devices, such as NUL, have no attributes, and can be written. */
bool nk_system_access(const char *path, int mode)
{
    struct stat about;
    const DWORD attributes = attributes_of(path);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return nk_system_stat(path, &about);
    if (mode & W_OK && attributes & FILE_ATTRIBUTE_READONLY && !(attributes & FILE_ATTRIBUTE_DIRECTORY)) {
        errno = EACCES;
        return false;
    }
    return true;
}

struct nk_listing {
    HANDLE handle;
    bool has_next; /* `found` has not been returned */
    WIN32_FIND_DATAW found;
    char *name; /* that was returned last */
};

struct nk_listing *nk_system_list(const char *directory)
{
    struct nk_listing *listing = calloc(1, sizeof *listing);
    char *pattern = listing ? malloc(strlen(directory) + sizeof "/*") : NULL;
    wchar_t *wide = NULL;
    if (pattern) {
        (void)nk_put_text(nk_put_text(pattern, directory), "/*");
        wide = wide_path(pattern);
    }
    HANDLE handle = wide ? FindFirstFileW(wide, &listing->found) : INVALID_HANDLE_VALUE;
    if (wide && handle == INVALID_HANDLE_VALUE)
        (void)fail();
    free(pattern);
    free(wide);
    if (handle == INVALID_HANDLE_VALUE) {
        free(listing);
        return NULL;
    }
    listing->handle = handle;
    listing->has_next = true;
    return listing;
}

const char *nk_system_next_name(struct nk_listing *listing)
{
    const wchar_t *name = listing->found.cFileName;
    do
        if (!listing->has_next && !FindNextFileW(listing->handle, &listing->found))
            return NULL;
        else
            listing->has_next = false;
    while (wcscmp(name, L".") == 0 || wcscmp(name, L"..") == 0);
    free(listing->name);
    return listing->name = narrow_of(name);
}

void nk_system_end_list(struct nk_listing *listing)
{
    if (!listing)
        return;
    (void)FindClose(listing->handle);
    free(listing->name);
    free(listing);
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
    wchar_t *wide = wide_path(path);
    const bool is_made = wide && (CreateDirectoryW(wide, NULL) || fail());
    free(wide);
    return is_made;
}

int nk_system_lock_directory(const char *path)
{
    /* Nobody else can open it to add files, as every lock does; listing it and creating files in it need not. */
    wchar_t *wide = wide_path(path);
    if (!wide)
        return -1;
    HANDLE handle = CreateFileW(wide, FILE_ADD_FILE, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS, NULL);
    const DWORD why = GetLastError();
    free(wide);
    SetLastError(why);
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
        (void)remove_with(RemoveDirectoryW, path);
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
