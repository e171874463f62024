"""Short JSON texts made small: most of what an event or a command says stands in a text that all of them share."""

import zlib
from importlib.resources import files
from typing import Final

# Never to be changed: what was packed with it can be unpacked with nothing else. zlib checks that it is the same.
_TYPICAL: Final = files("bot").joinpath("typical.json").read_bytes()


def packed(text: str) -> bytes:
    """The text, small."""
    packer = zlib.compressobj(9, zdict=_TYPICAL)
    return packer.compress(text.encode()) + packer.flush()


def unpacked(data: bytes) -> str:
    """The text that was packed; raises zlib.error for anything else."""
    unpacker = zlib.decompressobj(zdict=_TYPICAL)
    return (unpacker.decompress(data) + unpacker.flush()).decode()
