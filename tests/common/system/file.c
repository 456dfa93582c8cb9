/* Files: written whole or not at all. */

#include "common/system/file.h"
#include "common/system/system.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

static const char old_text[] = "what was there before", new_text[] = "what is there now";

static void write_old(const char *path)
{
    write_bytes(path, old_text, sizeof old_text);
}

/* A name that a file has until it is complete: that of its writer number n. */
static struct text temporary_of(const char *name, int n)
{
    struct text text;
    snprintf(text.s, sizeof text.s, ".new-%016llx-%d", (unsigned long long)XXH3_64bits(name, strlen(name)),
             n);
    return text;
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

/* A name of the greatest length, after a character that makes it too long. */
static char too_long[NAME_MAX + 2];
static const char *const long_name = too_long + 1;

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

/* Somebody else cuts what is being written: it must not get the name. */
Test(file, stays_when_the_new_one_is_cut)
{
    struct nk_writer *writer;
    struct nk_error error;
    uint64_t checksum = 77;
    write_old("file");
    cr_assert(!nk_writer_open("file", true, &writer, NULL));
    cr_assert(!nk_writer_append(writer, new_text, 12, NULL));
    cr_assert(!truncate(temporary_of("file", 0).s, 5));
    cr_assert_eq(nk_writer_close(writer, &checksum, &error), NK_E_WRITE);
    cr_assert_str_eq(error.text, "cannot write file: Input/output error");
    cr_assert_eq(checksum, 77);
    expect_text("file", old_text);
    cr_assert_eq(files_in("."), 1);
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
    cr_assert(!nk_writer_replace(writer, 0, "W", 1, NULL));
    cr_assert(!nk_writer_append(writer, new_text + 7, sizeof new_text - 7, NULL));
    cr_assert(!nk_writer_close(writer, &checksum, NULL));
    expect_text("file", "What is there now");
    cr_assert_eq(checksum, XXH3_64bits("What is there now", sizeof new_text));
    cr_assert(!nk_writer_open("file", true, &writer, NULL));
    cr_assert(!nk_writer_append(writer, "lost", 4, NULL));
    nk_writer_abandon(writer);
    expect_text("file", "What is there now");
    cr_assert_eq(files_in("."), 1);
}

/* ---- several writers ---- */

enum { MOST_WRITERS = 10 };

/* What killed processes left is removed, for this file only. */
Test(file, what_was_left_is_removed)
{
    const struct text others[] = {{".new-1-0"}, temporary_of("other", 0), temporary_of("file", 10)};
    for (size_t i = 0; i < COUNT(others); i++)
        write_old(others[i].s);
    for (int n = 0; n < MOST_WRITERS; n++)
        write_old(temporary_of("file", n).s);
    cr_assert(!write_new("file", NULL));
    expect_text("file", new_text);
    for (size_t i = 0; i < COUNT(others); i++)
        expect_text(others[i].s, old_text);
    cr_assert_eq(files_in("."), COUNT(others) + 1);
}

/* To open a device or a pipe can have effects. */
Test(file, link_with_the_name_of_an_abandoned_file_is_not_followed)
{
    struct inotify_event event;
    write_old("target");
    cr_assert(!symlink("target", temporary_of("file", 0).s));
    const int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    cr_assert(inotify_add_watch(events, "target", IN_OPEN) >= 0);
    cr_assert(!write_new("file", NULL));
    cr_assert_eq(read(events, &event, sizeof event), -1, "the target was opened");
    cr_assert_eq(errno, EAGAIN);
    close(events);
}

/* Each has a file of its own, which the others leave. The first one gets the name, which then is that of a file which
 * was not there when the others began. */
Test(file, may_have_several_writers)
{
    struct nk_writer *writers[MOST_WRITERS];
    struct nk_error error;
    for (size_t i = 0; i < MOST_WRITERS; i++) {
        cr_assert(!nk_writer_open(long_name, true, &writers[i], NULL));
        cr_assert(!nk_writer_append(writers[i], new_text, sizeof new_text, NULL));
    }
    refuse(long_name, ": ten programs are writing it, with files called .new-");
    cr_assert(!nk_writer_close(writers[0], NULL, NULL));
    for (size_t i = 1; i < MOST_WRITERS; i++)
        cr_assert_eq(nk_writer_close(writers[i], NULL, &error), NK_E_EXISTS);
    expect_text(long_name, new_text);
    cr_assert_eq(files_in("."), MOST_WRITERS);
}

/* Leaves files as a killed writer does, and removes them as the next one does. */
static void leave_and_remove(pid_t parent)
{
    for (int n = 0; getppid() == parent; n = (n + 1) % 3) {
        const struct text name = temporary_of("file", n);
        const int file = open(name.s, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0)
            close(file);
        nk_system_remove_abandoned(NULL, name.s);
    }
    _exit(0);
}

/* A writer does not lose its file at any moment when others remove what was left. */
Test(file, is_not_removed_while_it_is_written)
{
    const pid_t parent = getpid();
    pid_t children[2];
    struct nk_error error;
    for (size_t i = 0; i < COUNT(children); i++)
        if (!(children[i] = fork()))
            leave_and_remove(parent);
    for (int i = 0; i < (is_thorough() ? 20000 : 2000); i++)
        cr_assert(!write_new("file", &error), "file %d: %s", i, error.text);
    for (size_t i = 0; i < COUNT(children); i++) {
        cr_assert(!kill(children[i], SIGKILL));
        cr_assert(waitpid(children[i], NULL, 0) == children[i]);
    }
    cr_assert(!write_new("file", NULL));
    cr_assert_eq(files_in("."), 1);
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

/* Another file than before, with the same permissions; meanwhile nobody else may read it. */
Test(file, keeps_permissions)
{
    static const mode_t modes[] = {0600, 0640, 0444, 0664, 0755, 0666};
    struct nk_writer *writer;
    struct stat about;
    umask(027);
    cr_assert(!write_new("file", NULL));
    expect_permissions(0640, geteuid(), getegid());
    umask(022);
    for (size_t i = 0; i < COUNT(modes); i++) {
        cr_assert(!chmod("file", modes[i]));
        cr_assert(!nk_writer_open("file", true, &writer, NULL));
        cr_assert(!nk_writer_append(writer, new_text, sizeof new_text, NULL));
        cr_assert(!stat(temporary_of("file", 0).s, &about));
        cr_assert((about.st_mode & 07777) == 0600);
        cr_assert(!nk_writer_close(writer, NULL, NULL));
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
    nk_system_fill_standard();
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
    cr_assert(!nk_system_map(SIZE_MAX / 2));
    nk_system_unmap(NULL, SIZE_MAX / 2);
    cr_assert(!setenv("LC_ALL", "nonsense", 1));
    cr_assert(!nk_system_has_utf8());
}

/* ---- whether a file may be written ---- */

static struct nk_writer *opened(const char *path, bool force)
{
    struct nk_writer *writer;
    struct nk_error error;
    cr_assert(!nk_writer_open(path, force, &writer, &error), "%s", error.text);
    return writer;
}

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

Test(file, an_empty_file_may_be_written)
{
    write_bytes("empty", "", 0);
    expect_permitted("empty", false);
}

Test(file, a_file_may_be_replaced_with_force)
{
    write_bytes("old", "letter", 6);
    expect_permitted("old", true);
}

Test(file, a_file_must_not_be_replaced_without_force)
{
    struct nk_writer *writer;
    struct nk_error error;
    write_bytes("old", "letter", 6);
    cr_assert_eq(nk_writer_open("old", false, &writer, &error), NK_E_EXISTS);
    cr_assert_str_eq(error.text, "old exists: choose another file, or replace it with --force");
}

/* ---- what has happened until a file is complete ---- */

/* What was written is kept under another name: `path` has not become it. */
static void expect_kept(struct nk_writer *writer, const char *path, const char *other)
{
    struct nk_error error;
    struct text message;
    cr_assert(!nk_writer_append(writer, new_text, sizeof new_text, NULL));
    cr_assert_eq(nk_writer_close(writer, NULL, &error), NK_E_EXISTS);
    snprintf(message.s, sizeof message.s, "is not replaced: the output is in %s", other);
    cr_assert(strstr(error.text, message.s), "%s", error.text);
    cr_assert(strncmp(error.text, path, strlen(path)) == 0, "%s", error.text);
    expect_text(other, new_text);
}

Test(file, what_has_appeared_stays)
{
    struct nk_writer *writer = opened("file", true);
    write_old("file");
    expect_kept(writer, "file", "file.new");
    expect_text("file", old_text);
    cr_assert_eq(files_in("."), 2);
}

Test(file, what_has_appeared_after_the_first_byte_stays)
{
    struct nk_writer *writer = opened("file", true);
    cr_assert(!nk_writer_append(writer, "", 0, NULL));
    write_old("file");
    expect_kept(writer, "file", "file.new");
    expect_text("file", old_text);
}

/* With --force as well: it was meant for the other file. */
Test(file, what_has_taken_the_place_of_another_file_stays)
{
    write_bytes("file", "whatever", 8);
    struct nk_writer *writer = opened("file", true);
    write_old("another");
    cr_assert(!rename("another", "file"));
    expect_kept(writer, "file", "file.new");
    expect_text("file", old_text);
}

Test(file, what_was_changed_stays)
{
    write_bytes("file", "whatever", 8);
    struct nk_writer *writer = opened("file", true);
    write_old("file");
    expect_kept(writer, "file", "file.new");
    expect_text("file", old_text);
}

Test(file, what_was_empty_and_is_not_stays)
{
    write_bytes("file", "", 0);
    struct nk_writer *writer = opened("file", true);
    write_old("file");
    expect_kept(writer, "file", "file.new");
    expect_text("file", old_text);
}

Test(file, is_written_if_the_old_one_was_removed)
{
    write_bytes("file", "whatever", 8);
    struct nk_writer *writer = opened("file", true);
    cr_assert(!remove("file"));
    cr_assert(!nk_writer_append(writer, new_text, sizeof new_text, NULL));
    cr_assert(!nk_writer_close(writer, NULL, NULL));
    expect_text("file", new_text);
    cr_assert_eq(files_in("."), 1);
}

Test(file, names_of_what_is_kept_are_new)
{
    struct nk_writer *writers[] = {opened("file", true), opened("file", true), opened("file", true)};
    write_old("file");
    write_old("file.new-2");
    expect_kept(writers[0], "file", "file.new");
    expect_kept(writers[1], "file", "file.new-3");
    expect_kept(writers[2], "file", "file.new-4");
    expect_text("file.new-2", old_text);
}

/* The end of a name that is too long is left out, but whole characters: this one has two bytes. */
Test(file, long_names_of_what_is_kept_are_cut)
{
    enum { LETTERS = 120 };
    char name[2 * LETTERS + 2] = "x", other[210] = "x";
    for (int i = 0; i < LETTERS; i++)
        memcpy(name + 1 + 2 * i, "\u00e4", 3);
    memcpy(other, name, 199);
    memcpy(other + 199, ".new", 5);
    struct nk_writer *writer = opened(name, true);
    write_old(name);
    cr_assert_eq(nk_writer_close(writer, NULL, NULL), NK_E_EXISTS);
    cr_assert_eq(access(other, F_OK), 0);
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
    cr_assert(!nk_writer_close(writer, NULL, NULL));
    expect_text("first", new_text);
    AUTO_BYTES second = read_bytes("second");
    cr_assert_eq(second.size, 13);
}

Test(file, a_directory_that_is_replaced_does_not_matter)
{
    cr_assert(!mkdir("directory", 0777));
    struct nk_writer *writer = opened("directory/file", true);
    cr_assert(!rename("directory", "elsewhere"));
    cr_assert(!mkdir("directory", 0777));
    cr_assert(!nk_writer_append(writer, new_text, sizeof new_text, NULL));
    cr_assert(!nk_writer_close(writer, NULL, NULL));
    expect_text("elsewhere/file", new_text);
    cr_assert_eq(files_in("directory"), 0);
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
    cr_assert_eq(nk_writer_close(writer, NULL, &error), NK_E_EXISTS);
    cr_assert_str_eq(error.text,
                     "pipe is another device or file than when this program began: nothing was written");
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
int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags)
{
    if (!cannot_link)
        return (int)syscall(SYS_linkat, from_directory, from, to_directory, to, flags);
    errno = EPERM;
    return -1;
}

/* Writes a new file and keeps another one apart. */
static void write_and_keep(void)
{
    cr_assert(!write_new("file", NULL));
    expect_text("file", new_text);
    struct nk_writer *writer = opened("appears", true);
    write_old("appears");
    write_old("appears.new");
    expect_kept(writer, "appears", "appears.new-2");
    expect_text("appears", old_text);
    expect_text("appears.new", old_text);
    cr_assert_eq(files_in("."), 4);
}

Test(file, is_new_without_exclusive_renaming)
{
    cannot_rename_exclusively = true;
    write_and_keep();
}

Test(file, is_new_without_exclusive_renaming_and_links)
{
    cannot_rename_exclusively = cannot_link = true;
    write_and_keep();
}
