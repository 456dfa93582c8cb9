"""Correct the checksums of the tables (docs/FORMATS.md) in the given files."""

import ctypes
import pathlib
import struct
import sys

sys.dont_write_bytecode = True
from table_format import AT_CHECKSUM, AT_ITEM_CHECKSUM, AT_SIZE, HEADER, ITEM, list_end  # noqa: E402

xxh3 = ctypes.CDLL('libxxhash.so.0').XXH3_64bits
xxh3.restype = ctypes.c_uint64


def seal(table):
    """The table, a bytearray, with the right checksums, except that of the codes."""
    def put_checksum(at, begin, end):
        struct.pack_into('<Q', table, at, xxh3(bytes(table[begin:end]), ctypes.c_size_t(end - begin)))

    begin = list_end(table)
    for item in range(HEADER, list_end(table), ITEM):
        end = struct.unpack_from('<Q', table, item)[0]
        put_checksum(item + AT_ITEM_CHECKSUM, begin, end)
        begin = end
    struct.pack_into('<Q', table, AT_SIZE, len(table))
    struct.pack_into('<Q', table, AT_CHECKSUM, 0)
    put_checksum(AT_CHECKSUM, 0, list_end(table))
    return table


if __name__ == '__main__':
    for path in map(pathlib.Path, sys.argv[1:]):
        path.write_bytes(seal(bytearray(path.read_bytes())))
