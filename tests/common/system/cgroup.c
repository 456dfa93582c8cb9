/* The memory that control groups leave, from files as Linux has them. */

#include "common/system/cgroup.h"
#include "common/system/file.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(cgroup, .init = enter_directory, .fini = leave_directory);

/* Writes a file of the system that is in the working directory. */
static void system_file(const char *path, const char *text)
{
    char name[200];
    snprintf(name, sizeof name, "./%s", path);
    cr_assert(!nk_file_make_directories(name, NULL));
    write_bytes(name, text, strlen(text));
}

static void expect(uint64_t bytes)
{
    cr_assert_eq(nk_cgroup_memory("."), bytes, "%llu", (unsigned long long)nk_cgroup_memory("."));
}

Test(cgroup, a_system_without_groups_has_no_limit)
{
    expect(UINT64_MAX);
}

Test(cgroup, a_group_of_version_2_without_a_limit)
{
    system_file("proc/self/cgroup", "0::/\n");
    system_file("sys/fs/cgroup/memory.max", "max\n");
    system_file("sys/fs/cgroup/memory.current", "4096\n");
    expect(UINT64_MAX);
}

Test(cgroup, version_2_leaves_what_is_not_used)
{
    system_file("proc/self/cgroup", "0::/\n");
    system_file("sys/fs/cgroup/memory.max", "1000000\n");
    system_file("sys/fs/cgroup/memory.current", "300000\n");
    expect(700000);
}

Test(cgroup, inactive_files_are_not_in_use)
{
    system_file("proc/self/cgroup", "0::/\n");
    system_file("sys/fs/cgroup/memory.max", "1000000\n");
    system_file("sys/fs/cgroup/memory.current", "300000\n");
    system_file("sys/fs/cgroup/memory.stat", "anon 100000\nactive_file 7\ninactive_file 200000\n");
    expect(900000);
}

Test(cgroup, the_tightest_of_the_groups_around_a_process_counts)
{
    system_file("proc/self/cgroup", "0::/user.slice/session.scope\n");
    system_file("sys/fs/cgroup/user.slice/memory.max", "500000\n");
    system_file("sys/fs/cgroup/user.slice/memory.current", "100000\n");
    system_file("sys/fs/cgroup/user.slice/session.scope/memory.max", "900000\n");
    system_file("sys/fs/cgroup/user.slice/session.scope/memory.current", "0\n");
    expect(400000);
}

Test(cgroup, a_path_from_outside_the_container_leaves_the_limit_of_the_container)
{
    system_file("proc/self/cgroup", "0::/../../docker/1234\n");
    system_file("sys/fs/cgroup/memory.max", "1000000\n");
    expect(1000000);
}

Test(cgroup, version_1_has_a_line_for_the_controller)
{
    system_file("proc/self/cgroup", "5:pids:/other\n4:cpu,memory:/docker/1234\n");
    system_file("sys/fs/cgroup/memory/docker/1234/memory.limit_in_bytes", "1000000\n");
    system_file("sys/fs/cgroup/memory/docker/1234/memory.usage_in_bytes", "300000\n");
    system_file("sys/fs/cgroup/memory/docker/1234/memory.stat",
                "inactive_file 1\ntotal_inactive_file 100000\n");
    expect(800000);
}

Test(cgroup, version_1_without_a_limit_has_a_large_one)
{
    system_file("proc/self/cgroup", "4:memory:/\n");
    system_file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    system_file("sys/fs/cgroup/memory/memory.usage_in_bytes", "300000\n");
    expect(UINT64_MAX);
}

Test(cgroup, a_group_that_has_reached_its_limit_leaves_one_byte)
{
    system_file("proc/self/cgroup", "0::/\n");
    system_file("sys/fs/cgroup/memory.max", "1000\n");
    system_file("sys/fs/cgroup/memory.current", "1000\n");
    expect(1);
}

Test(cgroup, what_is_no_number_is_no_limit)
{
    system_file("proc/self/cgroup", "nonsense\n0::\n4:memory\n:\n0::/\n");
    system_file("sys/fs/cgroup/memory.max", "-1\n");
    expect(UINT64_MAX);
}
