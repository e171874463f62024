"""The emojis of the application: uploaded once, used in posts, plain text where there are none."""

import io

from PIL import Image

import discord
from bot.emojis import PICTURES, signs
from bot.phrases import MOST_PICTURES, PLAIN, Phrases, Signs
from rules_core.units import Kind


class Application:
    """A client whose application knows some emojis."""

    def __init__(self, *names: str, fails: bool = False) -> None:
        self.names = list(names)
        self.uploaded: list[str] = []
        self._fails = fails

    async def fetch_application_emojis(self) -> list[object]:
        return [_Emoji(name) for name in self.names]

    async def create_application_emoji(self, *, name: str, image: bytes) -> object:
        if self._fails:
            raise discord.HTTPException(_Response(), "no")  # type: ignore[arg-type]
        assert len(image) < 256 * 1024
        assert 2 <= len(name) <= 32
        self.names.append(name)
        self.uploaded.append(name)
        return _Emoji(name)


class _Emoji:
    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return f"<:{self.name}:1>"


class _Response:
    status, reason = 403, "Forbidden"


async def test_what_is_missing_is_uploaded_once() -> None:
    application = Application("sp_cruiser", "another")
    found = await signs(application)  # type: ignore[arg-type]
    assert set(application.uploaded) == PICTURES.keys() - {"sp_cruiser"}
    assert found.emojis["sp_cruiser"] == "<:sp_cruiser:1>"
    assert found.emojis.keys() == PICTURES.keys()
    application.uploaded.clear()
    await signs(application)  # type: ignore[arg-type]
    assert application.uploaded == []


async def test_where_they_cannot_be_uploaded_texts_stay_plain() -> None:
    found = await signs(Application(fails=True))  # type: ignore[arg-type]
    words = Phrases("en", found)
    assert words.signed(Kind.CRUISER, "2 cruisers") == "2 cruisers"
    assert words.faces([(7, True), (1, False)]) == "7 1"


def test_texts_use_them() -> None:
    words = Phrases("ko", Signs({"sp_cruiser": "<:c:1>", "sp_d7_hit": "<:h:2>", "sp_d1": "<:m:3>"}))
    assert words.signed(Kind.CRUISER, "x") == "<:c:1> x"
    assert words.signed(Kind.CARRIER, "x") == "x"
    assert words.faces([(7, True), (1, False), (2, False)]) == "<:h:2> <:m:3> 2"
    assert words.faces([(1, False)] * (MOST_PICTURES + 1)) == " ".join("1" * (MOST_PICTURES + 1))
    assert Phrases("ko", PLAIN).faces([(10, True)]) == "10"


def test_each_is_a_small_square_picture_on_nothing() -> None:
    pictures = {name: picture() for name, picture in PICTURES.items()}
    assert len(set(pictures.values())) == len(Kind) + 20
    for data in pictures.values():
        image = Image.open(io.BytesIO(data))
        assert image.size == (128, 128)
        assert image.mode == "RGBA"
        assert image.getpixel((0, 0))[3] == 0  # type: ignore[index]
