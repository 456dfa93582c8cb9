"""Where things are in the file of a table, as docs/FORMATS.md has it, not as the programs do."""

SIGNATURE = b'\x89NKT\r\n\x1a\n'
AT_VERSION = 8  # 4 bytes
AT_HEIGHT = 13  # 1 byte
AT_LONGEST = 20  # 4 bytes
AT_SIZE = 80  # 8 bytes
AT_BLOCKS = 92  # 4 bytes
AT_CODES_CHECKSUM = 96  # 8 bytes
AT_CHECKSUM = 104  # 8 bytes
HEADER = 112  # bytes, before the list
ITEM = 16  # bytes of an item of the list: the end of a block, its checksum
AT_ITEM_CHECKSUM = 8


def list_end(table):
    """The offset of the end of the list, which has an item for each block of codes and for each of traps."""
    return HEADER + 2 * ITEM * int.from_bytes(table[AT_BLOCKS:AT_BLOCKS + 4], 'little')


def with_byte(table, at, byte):
    """The table with another byte at an offset."""
    return table[:at] + bytes([byte]) + table[at + 1:]


def with_flipped_bit(table, at):
    """The table with one bit changed in the byte at an offset."""
    return with_byte(table, at, table[at] ^ 1)
