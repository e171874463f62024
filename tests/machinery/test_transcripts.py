"""Real scripts and what came of them. `python -m tests.machinery.test_transcripts` writes them anew."""

import asyncio
import json
import tempfile
from pathlib import Path

import pytest

from bot.phrases import Language
from bot.table import Arguments, play
from tests.machinery.tools import SECRET, war

FOLDER = Path(__file__).parent / "transcripts"
DICE = {"round": "1 9 9", "battle": "8 1 1 1 1 4 1 8 1 1 1 1 8 1 1 1"}
CASES: tuple[tuple[str, Language], ...] = (("round", "en"), ("battle", "en"), ("battle", "ko"))


async def transcript(name: str, language: Language, folder: Path) -> str:
    """What comes of a script: the ready-made game for `round`, the small war for `battle`."""
    position = folder / "war.json"
    position.write_text(json.dumps(war()))
    arguments = Arguments(
        position=position if name == "battle" else None,
        script=FOLDER / f"{name}.txt",
        dice=DICE[name],
        seed=SECRET.hex(),
        transcript=folder / "transcript.jsonl",
        language=language,
    )
    assert await play(arguments) == 0
    return (folder / "transcript.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "language"), CASES)
async def test_a_script_gives_its_transcript(name: str, language: Language, tmp_path: Path) -> None:
    expected = (FOLDER / f"{name}.{language}.jsonl").read_text(encoding="utf-8")
    assert (await transcript(name, language, tmp_path)).splitlines() == expected.splitlines()


def main() -> None:
    """Writes the transcripts anew; what changed is to be read in the diff."""
    for name, language in CASES:
        with tempfile.TemporaryDirectory() as folder:
            text = asyncio.run(transcript(name, language, Path(folder)))
        (FOLDER / f"{name}.{language}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
