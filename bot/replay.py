"""A stretch of a game as an animated picture, a step a frame, or as a folder of frames.

GIF, for it is what Discord plays by itself everywhere, on phones too; all frames share the palette of the maps.
"""

import argparse
import io
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image
from PIL.GifImagePlugin import getdata, getheader
from PIL.ImageChops import subtract_modulo

from bot import presenter
from bot.errors import Unusable
from bot.files import read_game_at, write_bytes
from bot.marks import map_labels, map_title, marks
from bot.phrases import Language
from bot.pictures import plain
from bot.steps import PostKind, steps
from renderer import View, render
from renderer.painter import Tell
from renderer.theme import ThemeName
from rules_core import events as ev
from rules_core.apply import fold
from rules_core.game_file import GameFile
from rules_core.history import live
from rules_core.state import State

# Discord takes files of 10 MiB.
MOST_BYTES: Final = 8 * 1024 * 1024
WIDTH: Final = 1080
NARROWEST: Final = 270
# Milliseconds that a frame stands: any, one with dice to read, and the last.
STANDS: Final = 1600
STANDS_WITH_DICE: Final = 2800
STANDS_LAST: Final = 5000
# A film of more frames takes longer than anybody looks on, and more memory than there is for one.
MOST_FRAMES: Final = 100
# So much smaller than its share the next try is to be, if a film is too large.
_MARGIN: Final = 0.9
_WITH_DICE: Final = (PostKind.PDS, PostKind.CANNON, PostKind.ROUND, PostKind.BOMBARDMENT, PostKind.LANDING)


@dataclass(frozen=True, slots=True)
class Frame:
    """A step with the table before and after it; `number` is that of its last event."""

    kind: PostKind
    number: int
    before: State
    events: tuple[ev.Event, ...]
    after: State


@dataclass(frozen=True, slots=True)
class Film:
    """A stretch of a game to show; `alt` says in words what it is."""

    frames: tuple[Frame, ...]
    language: Language
    alt: str

    def gif(self, progress: Tell | None = None) -> bytes:
        """Draws it."""
        return animated(self.frames, self.language, progress=progress)


def frames(game: GameFile) -> tuple[Frame, ...]:
    """Every step of a game that holds, in order."""
    numbered = [
        (number, event) for entry in live(game.entries) for number, event in enumerate(entry.events, entry.first)
    ]
    events = [event for _, event in numbered]
    found, before = [], game.start
    for step in steps(events, 0):
        told = tuple(events[step.first : step.last + 1])
        after = fold(before, told)
        found.append(Frame(step.kind, numbered[step.last][0], before, told, after))
        before = after
    return tuple(found)


def of_round(found: Iterable[Frame], number: int | None = None) -> tuple[Frame, ...]:
    """The frames of a round, the last one in which something happened if none is named."""
    all_frames = tuple(found)
    if number is None:
        number = all_frames[-1].before.round if all_frames else 0
    return tuple(frame for frame in all_frames if number in (frame.before.round, frame.after.round))


def of_game(found: Sequence[Frame]) -> tuple[Frame, ...]:
    """The frames of a whole game, of a long one so many that it can be looked at, evenly spread."""
    kept = _spread(len(found), MOST_FRAMES) if len(found) > MOST_FRAMES else range(len(found))
    return tuple(found[at] for at in kept)


def between(found: Iterable[Frame], first: int, last: int) -> tuple[Frame, ...]:
    """The frames of the events `first` to `last`."""
    return tuple(frame for frame in found if first <= frame.number <= last)


def pictures(
    found: Sequence[Frame],
    language: Language,
    theme: ThemeName = "dark",
    width: int = WIDTH,
    progress: Tell | None = None,
) -> Iterable[bytes]:
    """The frames as PNG files, one after another; `progress` is told how many of how many are done."""
    for number, frame in enumerate(found, 1):
        yield render(frame.after, _view(frame, language, theme, width))
        if progress is not None:
            progress(number, len(found))


def animated(
    found: Sequence[Frame],
    language: Language,
    theme: ThemeName = "dark",
    most_bytes: int = MOST_BYTES,
    progress: Tell | None = None,
) -> bytes:
    """The frames as one GIF file of at most so many bytes: with fewer frames, or smaller, if that must be."""
    width = WIDTH
    files = tuple(pictures(found, language, theme, width, progress))
    while True:
        data = _gif(files, [_stands(frame) for frame in found])
        if len(data) <= most_bytes or (len(found) == 1 and width == NARROWEST):
            return data
        share = most_bytes / len(data) * _MARGIN
        if len(found) > 2:
            kept = _spread(len(found), max(2, int(len(found) * share)))
            found, files = [found[at] for at in kept], tuple(files[at] for at in kept)
        elif width > NARROWEST:
            width = max(NARROWEST, int(width * share**0.5))
            files = tuple(pictures(found, language, theme, width))
        else:
            found, files = found[-1:], files[-1:]


def _view(frame: Frame, language: Language, theme: ThemeName, width: int) -> View:
    told = presenter.post(frame.kind, frame.before, frame.events, language).text
    return View(
        map_title(frame.after, language, frame.number),
        map_labels(language, frame.after.ruleset.technologies),
        width=width,
        theme=theme,
        caption=plain(told) or " ",
        marks=marks(frame.before, frame.events),
    )


def _stands(frame: Frame) -> int:
    return STANDS_WITH_DICE if frame.kind in _WITH_DICE else STANDS


def _spread(count: int, kept: int) -> list[int]:
    """So many numbers below `count`, evenly spread, the first and the last among them."""
    return sorted({round(step * (count - 1) / (kept - 1)) for step in range(kept)})


def _gif(files: Sequence[bytes], stands: Sequence[int]) -> bytes:
    """One GIF of PNG files, each after the first only where it differs; all are as high as the highest.

    It is written frame by frame: Pillow would keep the pixels of all of them, 300 MB of a long film.
    """
    height, out, before = max(Image.open(io.BytesIO(data)).height for data in files), io.BytesIO(), None
    for data, stand in zip(files, [*stands[:-1], STANDS_LAST], strict=True):
        image = _as_high_as(Image.open(io.BytesIO(data)), height)
        if before is None:
            out.writelines(getheader(image.copy(), info={"loop": 0})[0])
        changed = (0, 0, *image.size) if before is None else subtract_modulo(image, before).getbbox()
        # A frame in which nothing changed stands, too.
        left, top, right, bottom = changed or (0, 0, 1, 1)
        out.writelines(getdata(image.crop((left, top, right, bottom)), (left, top), duration=stand))
        before = image
    out.write(b";")
    return out.getvalue()


def _as_high_as(image: Image.Image, height: int) -> Image.Image:
    if image.height == height:
        return image
    higher = Image.new("P", (image.width, height), image.getpixel((0, image.height - 1)))
    higher.putpalette(image.getpalette() or [])
    higher.paste(image)
    return higher


# ---- `starpost replay`


def write_replay(parsed: argparse.Namespace) -> int:
    """Writes a GIF file, or frames into a folder, and tells on standard error how far it is."""
    found = frames(read_game_at(parsed.game, parsed.language))
    if parsed.round is not None:
        found = of_round(found, parsed.round)
    found = between(found, parsed.first, parsed.last or (found[-1].number if found else 0))
    if not found:
        raise Unusable(f"{parsed.game}: expected a log with steps in the stretch that was asked for")
    if parsed.out.suffix == ".gif":
        write_bytes(parsed.out, animated(found, parsed.language, parsed.theme, progress=_tell))
        return 0
    try:
        parsed.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"{parsed.out}: not a folder for frames: {error.strerror}") from error
    for frame, data in zip(found, pictures(found, parsed.language, parsed.theme, progress=_tell), strict=True):
        write_bytes(parsed.out / f"{frame.number:05}.png", data)
    return 0


def _tell(done: int, of: int) -> None:
    if sys.stderr.isatty() or done == of:
        print(f"\r{done}/{of}", end="" if done < of else "\n", file=sys.stderr, flush=True)
