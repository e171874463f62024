"""`starpost`: the commands of the program. Exit code 2 with one line on standard error for what cannot be used."""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from bot.errors import Unusable


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the options in one line."""

    def error(self, message: str) -> NoReturn:
        raise Unusable(f"{self.prog}: {message}")


def main(arguments: Sequence[str] | None = None) -> int:
    """The entry point."""
    try:
        parsed = _parser().parse_args(arguments)
        code = int(parsed.run(parsed))
        sys.stdout.flush()
        return code
    except Unusable as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read what is printed has gone (`| head`); what is left goes nowhere, or Python complains at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="starpost", description="The referee's right hand for a galactic board game by post.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _table_options(commands.add_parser("table", help="play in the terminal, or run a script"))
    _map_options(commands.add_parser("map", help="draw a position"))
    _replay_options(commands.add_parser("replay", help="write a stretch of a game as an animated picture"))
    _galaxy_options(commands.add_parser("galaxy", help="make a fair galaxy and write it as a position file"))
    _odds_options(commands.add_parser("odds", help="the exact odds of a battle or a landing"))
    _verify_options(commands.add_parser("verify", help="recompute every die of a game file"))
    _games_options(commands.add_parser("games", help="list, show, export and remove the games of a database"))
    _backup_options(commands.add_parser("backup", help="copy the database, also while the bot runs"))
    _check_options(commands.add_parser("check", help="replay all games and compare with what is stored"))
    _doctor_options(commands.add_parser("doctor", help="look at all that the bot needs"))
    _demo_options(commands.add_parser("demo", help="look at the bot in your browser, without Discord"))
    _run_options(commands.add_parser("run", help="run the bot on Discord"))
    return parser


def _table_options(table: argparse.ArgumentParser) -> None:
    table.add_argument("--position", type=Path, metavar="FILE", help="start from a position or game file")
    table.add_argument("--script", type=Path, metavar="FILE", help="run the commands of a file, then stop")
    table.add_argument("--strict", action="store_true", help="a refused command ends the script, exit 1")
    table.add_argument("--dice", default="", metavar="NUMBERS", help="these d10 results first")
    table.add_argument("--seed", metavar="HEX", help="the table's secret, 32 bytes")
    table.add_argument("--maps", type=Path, metavar="DIR", help="write every posted map here")
    table.add_argument("--transcript", type=Path, metavar="FILE", help="write what came of each line, as JSON lines")
    table.add_argument("--export", type=Path, metavar="FILE", help="write the position after the last command")
    table.add_argument("--language", choices=("en", "ko"), default="en")
    table.add_argument("--database", type=Path, metavar="FILE", help="keep the game here and go on with it next time")
    table.set_defaults(run=_table)


def _map_options(draw: argparse.ArgumentParser) -> None:
    draw.add_argument("--position", type=Path, metavar="FILE", help="a position or game file")
    draw.add_argument("--out", type=_png, metavar="FILE", help="the picture, a PNG file")
    draw.add_argument("--language", choices=("en", "ko"), default="en")
    draw.add_argument("--system", metavar="LABEL", help="only this system and what lies around it")
    draw.add_argument("--rings", type=int, choices=(0, 1, 2), default=1, help="with --system: how much around it")
    draw.add_argument("--theme", choices=("dark", "light"), default="dark")
    draw.add_argument("--scale", type=_scale, default=1.0, metavar="N", help="0.25 to 2 times the usual size")
    draw.add_argument("--scene", type=Path, metavar="FILE", help="write the shapes as JSON too")
    draw.add_argument("--sheet", type=Path, metavar="DIR", help="instead: all icons and twenty positions, to look at")
    draw.set_defaults(run=_map)


def _png(text: str) -> Path:
    if Path(text).suffix.casefold() != ".png":
        raise argparse.ArgumentTypeError(f"{text}: expected a name that ends in .png")
    return Path(text)


def _scale(text: str) -> float:
    from bot.parse import parse_scale
    from rules_core.errors import Unreadable

    try:
        return parse_scale(text)
    except Unreadable as error:
        raise argparse.ArgumentTypeError(f"{text}: expected a number from 0.25 to 2") from error


def _replay_options(replay: argparse.ArgumentParser) -> None:
    replay.add_argument("--game", type=Path, metavar="FILE", required=True, help="a game file, with its log")
    replay.add_argument("--out", type=Path, metavar="FILE", required=True, help="a GIF file, or a folder for frames")
    replay.add_argument("--round", type=int, metavar="N", help="only this round")
    replay.add_argument("--from", dest="first", type=int, default=1, metavar="N", help="from this step of the log on")
    replay.add_argument("--to", dest="last", type=int, metavar="N", help="up to this step of the log")
    replay.add_argument("--language", choices=("en", "ko"), default="en")
    replay.add_argument("--theme", choices=("dark", "light"), default="dark")
    replay.set_defaults(run=_replay)


def _galaxy_options(galaxy: argparse.ArgumentParser) -> None:
    galaxy.add_argument("--seats", type=int, choices=range(2, 9), required=True, help="how many players")
    galaxy.add_argument("--rings", type=int, metavar="N", help="rings of systems around the centre")
    galaxy.add_argument("--seed", metavar="TEXT", help="the same text makes the same galaxy; drawn if left out")
    galaxy.add_argument("--language", choices=("en", "ko"), default="en")
    galaxy.add_argument("--out", type=Path, metavar="FILE", help="write the position file")
    galaxy.add_argument("--picture", type=_png, metavar="FILE", help="draw it, a PNG file")
    galaxy.set_defaults(run=_galaxy)


def _odds_options(odds: argparse.ArgumentParser) -> None:
    from bot import odds_terminal

    odds_terminal.options(odds)


def _verify_options(verify: argparse.ArgumentParser) -> None:
    verify.add_argument("file", type=Path, metavar="FILE", help="a game file with the secret of its dice")
    verify.add_argument("--language", choices=("en", "ko"), default="en")
    verify.set_defaults(run=_verify)


def _games_options(games: argparse.ArgumentParser) -> None:
    games.add_argument("--database", type=Path, metavar="FILE", help="as starpost run uses it if left out")
    games.add_argument("--language", choices=("en", "ko"), default="en")
    does = games.add_subparsers(dest="does", required=True, metavar="WHAT")
    listing = does.add_parser("list", help="all games, one a line")
    export = does.add_parser("export", help="write a game file")
    remove = does.add_parser("remove", help="delete a game for good; the bot must not be running")
    move = does.add_parser("move", help="carry a game into another database; no bot must be running on either")
    move.add_argument("--to", type=Path, metavar="FILE", required=True, help="made if it does not exist")
    of_a_game = (does.add_parser("show", help="where a game stands"), export, remove, move)
    for each in of_a_game:
        each.add_argument("id", type=int, metavar="NUMBER", help="the number of the game in the list")
    for each in (listing, *of_a_game):  # the same two may stand behind as well
        each.add_argument("--database", type=Path, metavar="FILE", default=argparse.SUPPRESS)
        each.add_argument("--language", choices=("en", "ko"), default=argparse.SUPPRESS)
    export.add_argument("--out", type=Path, metavar="FILE", required=True)
    export.add_argument("--position", action="store_true", help="only where it stands, as a position file")
    remove.add_argument("--running", action="store_true", help="also a game that is being played")
    games.set_defaults(run=_games)


def _backup_options(backup: argparse.ArgumentParser) -> None:
    backup.add_argument("--database", type=Path, metavar="FILE", help="as starpost run uses it if left out")
    backup.add_argument(
        "--to", type=Path, metavar="PATH", required=True, help="a folder, or a file that does not exist"
    )
    backup.add_argument("--keep", type=_count, default=7, metavar="N", help="in a folder: so many of the newest stay")
    backup.set_defaults(run=_backup)


def _count(text: str) -> int:
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


def _check_options(check: argparse.ArgumentParser) -> None:
    check.add_argument("--database", type=Path, metavar="FILE", help="as starpost run uses it if left out")
    check.add_argument("--language", choices=("en", "ko"), default="en")
    check.set_defaults(run=_check)


def _doctor_options(doctor: argparse.ArgumentParser) -> None:
    doctor.add_argument("--language", choices=("en", "ko"), default="en")
    doctor.set_defaults(run=_doctor)


def _demo_options(demo: argparse.ArgumentParser) -> None:
    demo.add_argument("--once", action="store_true", help="play a prepared round without a browser, then stop")
    demo.add_argument("--out", type=Path, metavar="DIR", help="with --once: write every posted map here")
    demo.add_argument("--language", choices=("en", "ko"), default="en")
    demo.set_defaults(run=_demo)


def _run_options(run: argparse.ArgumentParser) -> None:
    run.add_argument("--standby", action="store_true", help="if another Starpost runs on the database, wait")
    run.add_argument(
        "--shards", type=_range, metavar="A-B", help="serve only these shards; with a database of their own"
    )
    run.add_argument("--of", type=_count, metavar="N", help="with --shards: how many shards there are in all")
    run.set_defaults(run=_run)


def _range(text: str) -> tuple[int, ...]:
    first, _, last = text.partition("-")
    found = tuple(range(int(first), int(last or first) + 1))
    if not found:
        raise ValueError(text)
    return found


# Each command loads only what it needs: the table starts without Discord, the bot without the demo.


def _table(parsed: argparse.Namespace) -> int:
    from bot import table

    options = {name: value for name, value in vars(parsed).items() if name != "run"}
    return asyncio.run(table.play(table.Arguments(**options)))


def _map(parsed: argparse.Namespace) -> int:
    if parsed.sheet is not None:
        from bot.sheet import write_sheet

        write_sheet(parsed.sheet)
        return 0
    if parsed.position is None or parsed.out is None:
        raise Unusable("starpost map: expected --position and --out, or --sheet")
    return _draw(parsed)


def _draw(parsed: argparse.Namespace) -> int:
    from bot.files import read_game_at, write_bytes, write_text
    from bot.marks import map_labels, map_title
    from renderer import View, render, scene, shapes_as_json

    state = read_game_at(parsed.position, parsed.language).state
    if parsed.system is not None and parsed.system not in state.galaxy.systems:
        raise Unusable(f"--system: {parsed.system}: expected the label of a system in {parsed.position}")
    view = View(
        map_title(state, parsed.language),
        map_labels(parsed.language, state.ruleset.technologies),
        width=round(1600 * parsed.scale),
        theme=parsed.theme,
        focus=parsed.system,
        rings=parsed.rings,
    )
    write_bytes(parsed.out, render(state, view))
    if parsed.scene is not None:
        shapes = shapes_as_json(scene(state, view))
        write_text(parsed.scene, json.dumps(shapes, ensure_ascii=False, indent=1) + "\n")
    return 0


def _replay(parsed: argparse.Namespace) -> int:
    from bot.replay import write_replay

    return write_replay(parsed)


def _galaxy(parsed: argparse.Namespace) -> int:
    from bot.galaxies.terminal import make_galaxy

    print(make_galaxy(parsed))
    return 0


def _verify(parsed: argparse.Namespace) -> int:
    from bot.files import read_game_at
    from bot.phrases import phrases
    from bot.verify import told, verify

    words, game = phrases(parsed.language), read_game_at(parsed.file, parsed.language)
    if game.seal is None or game.seal.dice is None:
        raise Unusable(words.say("verify.no_seal" if game.seal is None else "verify.no_secret", path=parsed.file))
    verdict = verify(game.start, game.entries, game.seal.dice, game.seal.after)
    print(told(verdict, words))
    return 1 if verdict.differing else 0


def _games(parsed: argparse.Namespace) -> int:
    from bot.games import manage

    print(manage(parsed))
    return 0


def _backup(parsed: argparse.Namespace) -> int:
    from bot import backup

    print(backup.main(parsed))
    return 0


def _check(parsed: argparse.Namespace) -> int:
    from bot import check

    lines, well = check.main(parsed)
    print("\n".join(lines))
    return 0 if well else 1


def _doctor(parsed: argparse.Namespace) -> int:
    from bot import doctor

    lines, well = doctor.main(parsed)
    print("\n".join(lines))
    return 0 if well else 1


def _demo(parsed: argparse.Namespace) -> int:
    from bot import demo

    return demo.main(parsed)


def _run(parsed: argparse.Namespace) -> int:
    from bot import client
    from bot.config import load_settings

    if (parsed.shards is None) != (parsed.of is None) or (parsed.of or 0) <= max(parsed.shards or (-1,)):
        raise Unusable("starpost run: expected --shards A-B and --of N together, with B less than N")
    settings = replace(load_settings(), standby=parsed.standby, shards=parsed.shards, of=parsed.of)
    return client.run(settings)


if __name__ == "__main__":
    sys.exit(main())
