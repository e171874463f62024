"""Scenes to PNG files. What was painted last is kept for some games: of the next step only what differs is painted.

Colours are from one palette of 256, so the kept pictures are small: they are the compressed bytes of bands of rows, and
pixels of the one drawn last. A band that nothing touched stays as it is, the others are painted on and compressed
again. A step comes out as a picture painted all anew does, to the byte.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from struct import pack
from threading import Lock
from typing import Final

from PIL import Image
from zlib_ng.zlib_ng import DEFLATED, Z_FULL_FLUSH, adler32, compressobj, crc32, decompressobj

from renderer.colours import palette_bytes, quantised
from renderer.ground import ground
from renderer.paint import Pixels, Sheet, around, draw, reach
from renderer.shapes import Part, Scene, Shape, in_order
from renderer.theme import ThemeName

# So many pictures are kept. One of 61 systems, 1600 wide, takes 1 MB.
KEPT: Final = 40
# A larger picture, for a large screen, is not kept.
KEPT_PIXELS: Final = 6_000_000
BAND: Final = 48  # rows that are compressed together
LEVEL: Final = 3
MEMORY: Final = 9  # the most that deflate takes: faster and smaller
# Rectangles are painted as one if that is at most so many times their own area.
WASTE: Final = 1.25
_ADLER: Final = 65521
# Memory for pictures in small pieces, which can be used again for the next: in whole ones it is a quarter more. Pillow
# could keep some itself, which saves 5 ms of a new map and costs 70 MB.
Image.core.set_block_size(1 << 20)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Band:
    """Some rows of a PNG file: a chunk of it, and what the checksum over all rows needs."""

    chunk: bytes
    sum: int
    length: int


@dataclass(frozen=True, slots=True)
class Placed:
    """The shapes of a part with the rectangles that each covers, and the `extent` of them all, in few rectangles."""

    shapes: tuple[tuple[Shape, tuple[Pixels, ...]], ...]
    extent: tuple[Pixels, ...]


@dataclass(slots=True)
class Canvas:
    """The picture painted last on a ground."""

    ground: tuple[Shape, ...]
    theme: ThemeName
    parts: tuple[Part, ...] | None = None
    # Where the parts are, once there is a second picture; before that all of them are painted.
    placed: list[Placed] = field(default_factory=list)
    bands: dict[int, Band] = field(default_factory=dict)
    # Their pixels, with one column more at the left, the PNG filter of the row; while it is the picture drawn last.
    images: dict[int, Image.Image] = field(default_factory=dict)

    @property
    def size(self) -> tuple[int, int]:
        """How wide and how high the picture is."""
        return _size(self.ground)

    def show(self, parts: tuple[Part, ...]) -> bytes:
        """The picture of these parts as a PNG file."""
        boxes = self._take(parts)
        touched = {number for box in boxes for number in _bands(box)}
        self.images |= {number: self._image(number) for number in touched - self.images.keys()}
        for box in boxes:
            part = quantised(_paint(self.ground, self._near(box), self.theme, box), self.theme)
            for number in _bands(box):
                self.images[number].paste(part, (box[0] + 1, box[1] - number * BAND))
        self.bands |= {number: _compressed(self.images[number]) for number in touched}
        return _png(self.size, self.theme, (self.bands[number] for number in _bands((0, 0, *self.size))))

    def _image(self, number: int) -> Image.Image:
        """The pixels of a band, from its compressed bytes; at first they are empty."""
        width, height = self.size[0] + 1, min(BAND, self.size[1] - number * BAND)
        if number not in self.bands:
            return Image.new("P", (width, height))
        return Image.frombytes("P", (width, height), decompressobj(-15).decompress(self.bands[number].chunk[8:-4]))

    def _take(self, parts: tuple[Part, ...]) -> list[Pixels]:
        """Takes other parts, and gives the boxes in which they differ from those before."""
        before, size = self.parts, self.size
        self.parts = parts
        if before is None or len(before) != len(parts):
            self.placed = []
            return [(0, 0, *size)]
        placed_before = self.placed or [_placed(part, size) for part in before]
        changed = [number for number, pair in enumerate(zip(before, parts, strict=True)) if pair[0] != pair[1]]
        self.placed = list(placed_before)
        for number in changed:
            self.placed[number] = _placed(parts[number], size)
        both = [each[number].extent for number in changed for each in (placed_before, self.placed)]
        return joined(box for extent in both for box in extent)

    def _near(self, box: Pixels) -> Iterable[Shape]:
        """The shapes that may paint inside a box."""
        if not self.placed:
            return chain.from_iterable(self.parts or ())
        near = (placed.shapes for placed in self.placed if _touches(box, placed.extent))
        return (shape for shapes in near for shape, boxes in shapes if _touches(box, boxes))


def _bands(box: Pixels) -> range:
    """The numbers of the bands that a box touches."""
    return range(box[1] // BAND, -(-box[3] // BAND))


def _compressed(image: Image.Image) -> Band:
    rows = image.tobytes()
    deflate = compressobj(LEVEL, DEFLATED, -15, MEMORY)
    return Band(_chunk(b"IDAT", deflate.compress(rows) + deflate.flush(Z_FULL_FLUSH)), adler32(rows), len(rows))


_kept: OrderedDict[tuple[Shape, ...], Canvas] = OrderedDict()
_lock = Lock()


def png(scene: Scene, theme: ThemeName) -> bytes:
    """The picture of a scene as a PNG file; of a game whose last picture is kept, only the difference is painted."""
    with _lock:  # who else draws this game meanwhile begins anew
        canvas = _kept.pop(scene.ground, None)
    canvas = canvas or Canvas(scene.ground, theme)
    data = canvas.show(scene.parts)
    if _is_kept(canvas.size):
        with _lock:
            for other in _kept.values():
                other.images.clear()
            _kept[scene.ground] = canvas
            if len(_kept) > KEPT:
                _kept.popitem(last=False)
    return data


def forget() -> None:
    """Drops all kept pictures: the next of each game is painted all anew."""
    with _lock:
        _kept.clear()


def painted(scene: Scene, theme: ThemeName) -> Image.Image:
    """The picture of a scene in full colour, before its colours are those of the palette."""
    return _paint(scene.ground, chain.from_iterable(scene.parts), theme, (0, 0, *_size(scene.ground)))


def _paint(under: tuple[Shape, ...], shapes: Iterable[Shape], theme: ThemeName, box: Pixels) -> Image.Image:
    """What is in a box of a picture: these shapes on the ground `under` them, in full colour."""
    sheet = Sheet(ground(under, theme, box).convert("RGB"), box[0], box[1])
    for shape in in_order(shapes):
        draw(shape, sheet)
    return sheet.image


def joined(boxes: Iterable[Pixels]) -> list[Pixels]:
    """Fewer boxes that cover these: those that lie together become one."""
    found: list[Pixels] = []
    for box in boxes:
        while near := next((each for each in found if _area(around(each, box)) <= WASTE * _both(each, box)), None):
            found.remove(near)
            box = around(near, box)
        found.append(box)
    return found


def _area(box: Pixels) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _both(one: Pixels, other: Pixels) -> int:
    return _area(one) + _area(other)


def _touches(box: Pixels, others: Iterable[Pixels]) -> bool:
    x0, y0, x1, y1 = box
    # A loop, for `any` of a generator takes twice as long, and this is asked hundreds of times a picture.
    for left, top, right, bottom in others:  # noqa: SIM110
        if x0 < right and left < x1 and y0 < bottom and top < y1:
            return True
    return False


def _placed(part: Part, size: tuple[int, int]) -> Placed:
    """Where the shapes of a part are, inside a picture of this size."""
    shapes = tuple((shape, reach(shape)) for shape in part)
    boxes = (box for _, boxes in shapes for box in boxes)
    inside = ((max(0, x0), max(0, y0), min(size[0], x1), min(size[1], y1)) for x0, y0, x1, y1 in boxes)
    return Placed(shapes, tuple(joined(box for box in inside if box[0] < box[2] and box[1] < box[3])))


def _is_kept(size: tuple[int, int]) -> bool:
    return size[0] * size[1] <= KEPT_PIXELS


def _size(ground: tuple[Shape, ...]) -> tuple[int, int]:
    _, _, width, height = ground[0].box
    return round(width), round(height)


# ---- the file


def _png(size: tuple[int, int], theme: ThemeName, bands: Iterable[Band]) -> bytes:
    """Bands are whole blocks of one stream: a head before them, an empty last block and the checksum behind them."""
    total, chunks = 1, list[bytes]()
    for band in bands:
        total = _adler_of_both(total, band)
        chunks.append(band.chunk)
    head = _chunk(b"IHDR", pack(">IIBBBBB", *size, 8, 3, 0, 0, 0))
    end = _chunk(b"IDAT", b"\x03\x00" + pack(">I", total))
    start = (b"\x89PNG\r\n\x1a\n", head, _chunk(b"PLTE", palette_bytes(theme)), _chunk(b"IDAT", b"\x78\x9c"))
    return b"".join((*start, *chunks, end, _chunk(b"IEND", b"")))


def _chunk(name: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + name + data + pack(">I", crc32(name + data))


def _adler_of_both(before: int, band: Band) -> int:
    """The Adler-32 of what came before and a band behind it, from theirs."""
    low, high = (before & 0xFFFF) + (band.sum & 0xFFFF) - 1, (before >> 16) + (band.sum >> 16)
    return low % _ADLER | (high + band.length * ((before & 0xFFFF) - 1)) % _ADLER << 16
