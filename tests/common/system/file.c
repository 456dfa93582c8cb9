/* Files: written whole or not at all. */

#include "common/system/system.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xxhash.h>

static const char old_text[] = "what was there before", new_text[] = "what is there now";

static void write_old(const char *path)
{
    write_bytes(path, old_text, sizeof old_text);
}

/* The number of temporary files in the working directory. */
static size_t temporary_files(void)
{
    glob_t found = {0};
    (void)glob(".new-*", 0, NULL, &found);
    const size_t files = found.gl_pathc;
    globfree(&found);
    return files;
}

static void expect_text(const char *path, const char *text)
{
    AUTO_BYTES file = read_bytes(path);
    cr_assert_str_eq((char *)file.data, text, "%s", path);
    cr_assert_eq(file.size, strlen(text) + 1, "%s", path);
}

static enum nk_status write_new(const char *path, struct nk_error *error)
{
    return nk_file_write(path, true, new_text, sizeof new_text, error);
}

/* It cannot be written, for this reason, and nothing is left behind. */
static void refuse(const char *path, const char *reason)
{
    struct nk_error error;
    const int files = files_in(".");
    cr_assert_eq(write_new(path, &error), NK_E_WRITE, "\"%s\"", path);
    cr_assert_eq(error.status, NK_E_WRITE);
    cr_assert(strstr(error.text, reason), "%s: expected \"%s\"", error.text, reason);
    cr_assert_eq(files_in("."), files, "\"%s\": left a file behind", path);
}

enum { NOBODY = 65534 };

/* Nothing is forbidden to root. What a test makes in between belongs to somebody else. */
static void give_up_root(void)
{
    if (getuid())
        return;
    if (chown(".", NOBODY, NOBODY) || setegid(NOBODY) || seteuid(NOBODY)) {
        leave_directory();
        cr_skip("cannot become another user");
    }
}

/* Who has changed its user may no longer be looked into, which the search for leaks does at the end. */
static void take_root_back(void)
{
    if (!getuid()) {
        cr_assert(!seteuid(0));
        cr_assert(!setegid(0));
        cr_assert(!prctl(PR_SET_DUMPABLE, 1));
    }
}

/* ---- what cannot be written ---- */

static char too_long[NAME_MAX + 2];

static void enter(void)
{
    memset(too_long, 'x', NAME_MAX + 1);
    enter_directory();
}

TestSuite(file, .init = enter, .fini = leave_directory, .timeout = 60);

Test(file, says_why_it_cannot_be_written)
{
    cr_assert(!mkdir("directory", 0777));
    cr_assert(!symlink("loop", "loop"));
    cr_assert(!symlink("directory", "link"));
    cr_assert(!symlink("missing/file", "leads_nowhere"));
    write_old("file");
    refuse("missing/file", "No such file or directory");
    refuse("file/file", "Not a directory");
    refuse("directory", "directory is a directory, expected the name of a file");
    refuse("directory/", "is a directory");
    refuse("link", "is a directory");
    refuse("loop", "cannot follow the link loop: Too many levels of symbolic links");
    refuse("leads_nowhere", "cannot create leads_nowhere: No such file or directory");
    refuse("", "the name of the file to write is empty");
    refuse(too_long, "File name too long");
    cr_assert_eq(files_in("directory"), 0);
}

/* Not as root, who would replace a device if the library were wrong, and may write anywhere. */
Test(file, devices_and_directories_without_permission_stay)
{
    struct stat about;
    struct nk_writer *writer;
    cr_assert(!mkdir("sticky", 0777));
    cr_assert(!chmod("sticky", 01777));
    write_old("sticky/file");
    give_up_root();
    if (!getuid()) /* not the owner of either */
        cr_assert_eq(nk_writer_open("sticky/file", true, &writer, NULL), NK_E_WRITE);
    refuse("/dev/full", "No space left on device");
    cr_assert(!write_new("/dev/null", NULL));
    cr_assert(!mkdir("directory", 0777));
    write_old("directory/file");
    cr_assert(!chmod("directory", 0555));
    refuse("directory/file", "Permission denied");
    expect_text("directory/file", old_text);
    cr_assert_eq(files_in("directory"), 1);
    cr_assert(!chmod("directory", 0777));
    take_root_back();
    cr_assert(!lstat("/dev/full", &about));
    cr_assert(S_ISCHR(about.st_mode));
    cr_assert(!lstat("/dev/null", &about));
    cr_assert(S_ISCHR(about.st_mode));
}

/* As in /tmp: its owner may replace a file in a directory of another user in which each may make files. */
Test(file, an_own_file_in_a_sticky_directory_is_replaced)
{
    cr_assert(!mkdir("sticky", 0777));
    cr_assert(!chmod("sticky", 01777));
    give_up_root();
    write_old("sticky/file");
    cr_assert(!write_new("sticky/file", NULL));
    expect_text("sticky/file", new_text);
    take_root_back();
}

/* ---- what is written ---- */

Test(file, has_what_was_written_and_nothing_else)
{
    enum { BUFFER = 1 << 14 };
    static const uint8_t data[BUFFER + 1];
    static const size_t sizes[] = {0, 1, BUFFER, BUFFER + 1};
    struct nk_writer *writer;
    uint64_t checksum;
    write_old("file");
    for (size_t i = 0; i < COUNT(sizes); i++) {
        cr_assert(!nk_file_write("file", true, data, sizes[i], NULL));
        AUTO_BYTES file = read_bytes("file");
        cr_assert_eq(file.size, sizes[i]);
        cr_assert_arr_eq(file.data, data, sizes[i]);
    }
    cr_assert(!nk_writer_open("file", true, &writer, NULL));
    cr_assert(!nk_writer_append(writer, new_text, 7, NULL));
    cr_assert(!nk_writer_write_at(writer, 0, "W", 1, NULL));
    cr_assert(!nk_writer_append(writer, new_text + 7, sizeof new_text - 7, NULL));
    cr_assert(!nk_writer_commit(writer, &checksum, NULL));
    expect_text("file", "What is there now");
    cr_assert_eq(checksum, XXH3_64bits("What is there now", sizeof new_text));
    cr_assert(!nk_writer_open("file", true, &writer, NULL));
    cr_assert(!nk_writer_append(writer, "lost", 4, NULL));
    nk_writer_abandon(writer);
    expect_text("file", "What is there now");
    cr_assert_eq(files_in("."), 1);
}

/* ---- several writers ---- */

static struct nk_writer *opened(const char *path, bool force)
{
    struct nk_writer *writer;
    struct nk_error error;
    cr_assert(!nk_writer_open(path, force, &writer, &error), "%s", error.text);
    return writer;
}

Test(file, the_last_writer_with_force_has_the_name)
{
    struct nk_writer *first = opened("file", true);
    struct nk_writer *second = opened("file", true);
    cr_assert(!nk_writer_append(first, new_text, sizeof new_text, NULL));
    cr_assert(!nk_writer_append(second, old_text, sizeof old_text, NULL));
    cr_assert(!nk_writer_commit(second, NULL, NULL));
    cr_assert(!nk_writer_commit(first, NULL, NULL));
    expect_text("file", new_text);
    cr_assert_eq(files_in("."), 1);
}

/* With force, which needs one name less, even one more. */
Test(file, a_process_may_have_fifteen_writers)
{
    enum { MOST_WRITERS = 15 };
    struct nk_writer *writers[MOST_WRITERS + 1];
    for (size_t i = 0; i <= MOST_WRITERS; i++) {
        writers[i] = opened("file", i == MOST_WRITERS);
        cr_assert(!nk_writer_append(writers[i], new_text, sizeof new_text, NULL));
    }
    refuse("file", "cannot create file: Too many open files");
    for (size_t i = 0; i <= MOST_WRITERS; i++)
        nk_writer_abandon(writers[i]);
    cr_assert_eq(files_in("."), 0);
    cr_assert(!write_new("file", NULL));
}

/* A caller may have left another program's file open that has such a name. */
Test(file, only_files_of_this_process_are_removed_by_a_signal)
{
    struct nk_writer *writer = opened("file", true);
    const int other = open(".new-mine", O_RDWR | O_CREAT, 0666);
    write_old("file");
    cr_assert(!nk_writer_append(writer, new_text, sizeof new_text, NULL));
    cr_assert_eq(temporary_files(), 2);
    nk_file_remove_unfinished();
    cr_assert_eq(temporary_files(), 1);
    cr_assert_eq(access(".new-mine", F_OK), 0);
    expect_text("file", old_text);
    nk_writer_abandon(writer);
    close(other);
}

Test(file, is_written_through_links)
{
    struct stat about;
    cr_assert(!mkdir("directory", 0777));
    write_old("directory/target");
    cr_assert(!symlink("directory/target", "link"));
    char *here = getcwd(NULL, 0), *absolute = NULL;
    cr_assert(asprintf(&absolute, "%s/link", here) > 0);
    cr_assert(!symlink(absolute, "link_to_link"));
    free(absolute);
    free(here);
    cr_assert(!write_new("link_to_link", NULL));
    expect_text("directory/target", new_text);
    cr_assert(!lstat("link_to_link", &about));
    cr_assert(S_ISLNK(about.st_mode));
    cr_assert(!lstat("link", &about));
    cr_assert(S_ISLNK(about.st_mode));
    cr_assert_eq(files_in("directory"), 1);
}

/* Whether closing a pipe reports an error, as a full disk of another machine can be. */
static bool closing_fails;

/* In the place of the C library's. */
int close(int file)
{
    struct stat about = {0};
    const bool fails = closing_fails && fstat(file, &about) == 0 && S_ISFIFO(about.st_mode);
    const int status = (int)syscall(SYS_close, file);
    if (!fails)
        return status;
    errno = EDQUOT;
    return -1;
}

Test(file, error_of_closing_a_pipe_is_reported)
{
    cr_assert_eq(mkfifo("pipe", 0666), 0);
    const int end = open("pipe", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    closing_fails = true;
    refuse("pipe", "cannot write pipe: Disk quota exceeded");
    closing_fails = false;
    close(end);
}

Test(file, is_written_into_pipes)
{
    struct stat about;
    char got[sizeof old_text], link[32];
    cr_assert(!mkfifo("pipe", 0666));
    const int end = open("pipe", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    snprintf(link, sizeof link, "/proc/self/fd/%d", end); /* as /dev/stdout may be one */
    const char *const names[] = {"pipe", link};
    for (size_t i = 0; i < COUNT(names); i++) {
        cr_assert(!write_new(names[i], NULL));
        cr_assert_eq(read(end, got, sizeof got), (ssize_t)sizeof new_text);
        cr_assert_str_eq(got, new_text);
    }
    cr_assert(!lstat("pipe", &about));
    cr_assert(S_ISFIFO(about.st_mode));
    close(end);
}

/* ---- permissions ---- */

static void expect_permissions(mode_t mode, uid_t owner, gid_t group)
{
    struct stat about;
    cr_assert(!stat("file", &about));
    cr_assert_eq(about.st_mode & 07777, mode, "%o, expected %o", about.st_mode & 07777, mode);
    cr_assert(about.st_uid == owner);
    cr_assert(about.st_gid == group);
}

static mode_t temporary_mode(void)
{
    struct stat about = {0};
    glob_t found = {0};
    cr_assert(!glob(".new-*", 0, NULL, &found));
    cr_assert(!stat(found.gl_pathv[0], &about));
    globfree(&found);
    return about.st_mode;
}

/* Another file than before, with the same permissions; meanwhile nobody else may read it. */
Test(file, keeps_permissions)
{
    static const mode_t modes[] = {0600, 0640, 0444, 0664, 0755, 0666};
    struct nk_writer *writer;
    umask(027);
    cr_assert(!write_new("file", NULL));
    expect_permissions(0640, geteuid(), getegid());
    umask(022);
    for (size_t i = 0; i < COUNT(modes); i++) {
        cr_assert(!chmod("file", modes[i]));
        cr_assert(!nk_writer_open("file", true, &writer, NULL));
        cr_assert(!nk_writer_append(writer, new_text, sizeof new_text, NULL));
        cr_assert((temporary_mode() & 07777) == 0600);
        cr_assert(!nk_writer_commit(writer, NULL, NULL));
        expect_permissions(modes[i], geteuid(), getegid());
    }
}

/* Another user cannot keep the owner, and not every group. Another group gets no more than everybody has. */
Test(file, keeps_owner_and_group)
{
    enum { SOMEBODY = 12345, THEIRS = 23456 };
    static const struct {
        mode_t before, after;
        gid_t group;
    } cases[] = {{0664, 0644, THEIRS}, {0640, 0600, THEIRS}, {0664, 0664, NOBODY}};
    write_old("file");
    if (getuid() || chown("file", SOMEBODY, THEIRS)) /* there may be a root without other users */
        cr_skip("only root can give a file away");
    for (size_t i = 0; i < COUNT(cases); i++) {
        write_old("file");
        cr_assert(!chown("file", SOMEBODY, cases[i].group));
        cr_assert(!chmod("file", cases[i].before));
        cr_assert(!write_new("file", NULL));
        expect_permissions(cases[i].before, SOMEBODY, cases[i].group);
        give_up_root();
        cr_assert(!write_new("file", NULL));
        expect_permissions(cases[i].after, geteuid(), getegid());
        take_root_back();
    }
}

/* ---- the system ---- */

/* A program started without standard streams must not take a file that it opens for one of them. */
Test(file, closed_streams_are_filled)
{
    int kept[3];
    char byte = 'x';
    for (int stream = 0; stream < 3; stream++) {
        kept[stream] = fcntl(stream, F_DUPFD_CLOEXEC, 3);
        close(stream);
    }
    nk_system_open_missing_streams();
    const bool filled = open("/dev/null", O_RDWR | O_CLOEXEC) > 2;
    const bool fail = read(0, &byte, 1) < 0 && write(1, &byte, 1) < 0 && write(2, &byte, 1) < 0;
    for (int stream = 0; stream < 3; stream++)
        dup2(kept[stream], stream);
    cr_assert(filled);
    cr_assert(fail);
}

/* The processors that this process may use; 0: a machine may have more than fit into the set. */
static int permitted_processors;

/* In the place of the C library's. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    (void)process;
    if (!permitted_processors) {
        errno = EINVAL;
        return -1;
    }
    memset(set, 0, size);
    for (int processor = 0; processor < permitted_processors; processor++)
        CPU_SET((size_t)processor, set);
    return 0;
}

Test(file, only_permitted_processors_are_counted)
{
    permitted_processors = (int)sysconf(_SC_NPROCESSORS_ONLN) + 1; /* no other count of the system */
    cr_assert_eq(nk_system_processors(), permitted_processors);
}

Test(file, system_may_not_answer)
{
    uint64_t bytes = 77;
    cr_assert_eq(nk_system_processors(), sysconf(_SC_NPROCESSORS_ONLN));
    cr_assert(!nk_system_free_space("missing", &bytes));
    cr_assert(bytes == 77);
    cr_assert(!nk_system_allocate(SIZE_MAX / 2));
    nk_system_free(NULL, SIZE_MAX / 2);
    cr_assert(!setenv("LC_ALL", "nonsense", 1));
    cr_assert(!nk_system_has_utf8());
}

/* ---- whether a file may be written ---- */

static void expect_permitted(const char *path, bool force)
{
    const int files = files_in(".");
    struct nk_writer *writer = opened(path, force);
    cr_assert_eq(files_in("."), files, "a file is created before something is written");
    nk_writer_abandon(writer);
    cr_assert_eq(files_in("."), files);
}

Test(file, what_does_not_exist_may_be_written)
{
    expect_permitted("missing", false);
}

Test(file, a_file_may_be_replaced_with_force)
{
    write_bytes("old", "letter", 6);
    expect_permitted("old", true);
}

/* An empty one can be another program's lock. */
Test(file, a_file_must_not_be_replaced_without_force)
{
    static const char *const names[] = {"old", "empty"};
    struct nk_writer *writer;
    struct nk_error error;
    struct text message;
    write_bytes("old", "letter", 6);
    write_bytes("empty", "", 0);
    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(message.s, sizeof message.s, "%s exists: choose another file, or replace it with --force",
                 names[i]);
        cr_assert_eq(nk_writer_open(names[i], false, &writer, &error), NK_E_EXISTS);
        cr_assert_str_eq(error.text, message.s);
    }
}

/* ---- what has happened until a file is complete ---- */

static void expect_that_what_has_appeared_stays(void)
{
    struct nk_error error;
    struct nk_writer *writer = opened("file", false);
    cr_assert(!nk_writer_append(writer, new_text, sizeof new_text, NULL));
    write_old("file");
    cr_assert_eq(nk_writer_commit(writer, NULL, &error), NK_E_EXISTS);
    cr_assert_str_eq(error.text, "file exists: choose another file, or replace it with --force");
    expect_text("file", old_text);
    cr_assert_eq(files_in("."), 1);
}

Test(file, what_has_appeared_stays)
{
    expect_that_what_has_appeared_stays();
}

Test(file, what_has_appeared_is_replaced_with_force)
{
    struct nk_writer *writer = opened("file", true);
    write_old("file");
    cr_assert(!nk_writer_append(writer, new_text, sizeof new_text, NULL));
    cr_assert(!nk_writer_commit(writer, NULL, NULL));
    expect_text("file", new_text);
}

/* A link is followed when the writer is opened, not again. */
Test(file, a_link_that_is_changed_does_not_matter)
{
    write_bytes("first", "whatever", 8);
    write_bytes("second", "whatever else", 13);
    cr_assert(!symlink("first", "link"));
    struct nk_writer *writer = opened("link", true);
    cr_assert(!remove("link"));
    cr_assert(!symlink("second", "link"));
    cr_assert(!nk_writer_append(writer, new_text, sizeof new_text, NULL));
    cr_assert(!nk_writer_commit(writer, NULL, NULL));
    expect_text("first", new_text);
    AUTO_BYTES second = read_bytes("second");
    cr_assert_eq(second.size, 13);
}

Test(file, a_link_to_a_new_file_is_followed)
{
    struct stat about;
    cr_assert(!mkdir("directory", 0777));
    cr_assert(!symlink("directory/link", "link"));
    cr_assert(!symlink("file", "directory/link"));
    cr_assert(!write_new("link", NULL));
    expect_text("directory/file", new_text);
    cr_assert(!lstat("directory/link", &about));
    cr_assert(S_ISLNK(about.st_mode));
}

Test(file, a_file_in_place_of_a_pipe_stays)
{
    struct nk_error error;
    cr_assert(!mkfifo("pipe", 0666));
    struct nk_writer *writer = opened("pipe", true);
    cr_assert(!remove("pipe"));
    write_old("pipe");
    cr_assert(!nk_writer_append(writer, new_text, 3, NULL));
    cr_assert_eq(nk_writer_commit(writer, NULL, &error), NK_E_EXISTS);
    cr_assert_str_eq(error.text, "pipe was a device or a pipe and is a file now: nothing was written");
    expect_text("pipe", old_text);
}

/* What the file system cannot do. */
static bool cannot_rename_exclusively, cannot_link;

/* In the place of the C library's. */
int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned flags)
{
    if (!cannot_rename_exclusively)
        return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
    errno = EINVAL;
    return -1;
}

/* In the place of the C library's. */
int link(const char *from, const char *to)
{
    if (!cannot_link)
        return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = EPERM;
    return -1;
}

Test(file, what_has_appeared_stays_without_exclusive_renaming)
{
    cannot_rename_exclusively = true;
    expect_that_what_has_appeared_stays();
}

Test(file, is_new_without_exclusive_renaming)
{
    cannot_rename_exclusively = true;
    cr_assert(!nk_file_write("file", false, new_text, sizeof new_text, NULL));
    expect_text("file", new_text);
    cr_assert_eq(files_in("."), 1);
}

/* Before the work, and then nothing would protect a file that appears meanwhile. */
Test(file, needs_force_without_exclusive_renaming_and_links)
{
    struct nk_writer *writer;
    struct nk_error error;
    cannot_rename_exclusively = cannot_link = true;
    cr_assert_eq(nk_writer_open("file", false, &writer, &error), NK_E_WRITE);
    cr_assert(strstr(error.text, "permit it with --force"), "%s", error.text);
    cr_assert_eq(files_in("."), 0);
    cr_assert(!write_new("file", NULL));
    expect_text("file", new_text);
}
