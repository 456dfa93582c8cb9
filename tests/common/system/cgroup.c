/* The memory that control groups leave, from files as Linux has them. */

#include "common/system/system.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(cgroup, .init = enter_directory, .fini = leave_directory);

/* Writes a file of the system that is in the working directory. */
static void system_file(const char *directory, const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "./%s/%s", directory, name);
    cr_assert(!nk_file_make_directories(path, NULL));
    write_bytes(path, text, strlen(text));
}

static void groups_of_process(const char *lines)
{
    system_file("proc/self", "cgroup", lines);
}

/* Of version 2. */
static void group(const char *path, const char *most, const char *used)
{
    system_file(path, "memory.max", most);
    system_file(path, "memory.current", used);
}

static void expect(uint64_t bytes)
{
    const uint64_t found = nk_system_group_memory(".");
    cr_assert_eq(found, bytes, "%llu", (unsigned long long)found);
}

Test(cgroup, a_system_without_groups_has_no_limit)
{
    expect(UINT64_MAX);
}

Test(cgroup, a_group_of_version_2_without_a_limit)
{
    groups_of_process("0::/\n");
    group("sys/fs/cgroup", "max\n", "4096\n");
    expect(UINT64_MAX);
}

Test(cgroup, inactive_files_are_not_in_use)
{
    groups_of_process("0::/\n");
    group("sys/fs/cgroup", "1000000\n", "300000\n");
    expect(653516); /* of 700000 */
    system_file("sys/fs/cgroup", "memory.stat", "anon 100000\nactive_file 7\ninactive_file 200000\n");
    expect(840235); /* of 900000 */
}

Test(cgroup, the_tightest_of_the_groups_around_a_process_counts)
{
    groups_of_process("0::/user.slice/session.scope\n");
    group("sys/fs/cgroup/user.slice", "500000\n", "100000\n");
    group("sys/fs/cgroup/user.slice/session.scope", "900000\n", "0\n");
    expect(373438); /* of 400000 */
}

Test(cgroup, a_path_from_outside_the_container_leaves_the_limit_of_the_container)
{
    groups_of_process("0::/../../docker/1234\n");
    system_file("sys/fs/cgroup", "memory.max", "1000000\n");
    expect(933594); /* of 1000000 */
}

Test(cgroup, version_1_has_a_line_for_the_controller)
{
    static const char directory[] = "sys/fs/cgroup/memory/docker/1234";
    groups_of_process("5:pids:/other\n4:cpu,memory:/docker/1234\n");
    system_file(directory, "memory.limit_in_bytes", "1000000\n");
    system_file(directory, "memory.usage_in_bytes", "300000\n");
    system_file(directory, "memory.stat", "inactive_file 1\ntotal_inactive_file 100000\n");
    expect(746875); /* of 800000 */
}

Test(cgroup, version_1_without_a_limit_has_a_large_one)
{
    groups_of_process("4:memory:/\n");
    system_file("sys/fs/cgroup/memory", "memory.limit_in_bytes", "9223372036854771712\n");
    expect(UINT64_MAX);
}

Test(cgroup, a_group_that_has_reached_its_limit_leaves_one_byte)
{
    groups_of_process("nonsense\n:\n0::/\n");
    group("sys/fs/cgroup", "1000\n", "1000\n");
    expect(1);
}

/* A group leaves so many bytes if so many MiB are left. */
static void expect_of_mib(unsigned mib, uint64_t bytes)
{
    char most[24];
    snprintf(most, sizeof most, "%llu\n", (unsigned long long)mib << 20);
    groups_of_process("0::/\n");
    group("sys/fs/cgroup", most, "0\n");
    expect(bytes);
}

Test(cgroup, the_kernel_has_a_share_of_what_is_left)
{
    expect_of_mib(4, 3915776);
    expect_of_mib(64, 62652416);
    expect_of_mib(144, 146210816);
    expect_of_mib(4096, 4273995776);
}
