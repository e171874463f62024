"""`starpost odds`: exact odds of any battle or landing in the terminal, as text or JSON."""

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from bot import parse
from bot.errors import Unusable
from bot.odds import Asked, Judged, Profiles, force, judged, told, told_landing, with_orders
from bot.phrases import Phrases, phrases
from rules_core.errors import Refusal
from rules_core.odds import Landing, Odds, SpaceBattle, expected, landing, unit
from rules_core.selection import Request
from rules_core.units import Ability, Kind, Ruleset, load_ruleset


def options(odds: argparse.ArgumentParser) -> None:
    """The options of `starpost odds`."""
    odds.add_argument("--attacker", metavar="UNITS", help='for example "2 dreadnoughts, 5 cruisers"')
    odds.add_argument("--defender", metavar="UNITS", default="", help="left out: only PDS fire")
    odds.add_argument("--attacker-technologies", metavar="A,B", default="")
    odds.add_argument("--defender-technologies", metavar="A,B", default="")
    odds.add_argument("--pds", type=_number, metavar="N", default=0, help="PDS that fire")
    odds.add_argument("--attacker-losses", metavar="KINDS", help="the order of losses, or best")
    odds.add_argument("--defender-losses", metavar="KINDS", help="the order of losses, or best")
    odds.add_argument("--fighter-room", type=_number, metavar="N", default=0, help="room in the defender's docks")
    odds.add_argument("--retreat", metavar="RULE", help='"after 2 rounds", "below 3 ships" or "odds below 40%%"')
    odds.add_argument("--land", type=_number, metavar="N", help="a landing of so many ground forces")
    odds.add_argument("--defenders", type=_number, metavar="N", default=0, help="ground forces on the planet")
    odds.add_argument("--bombard", type=_number, metavar="N", default=0, help="dreadnoughts that bombard first")
    odds.add_argument("--graviton-negator", action="store_true", help="bombardment in spite of PDS")
    odds.add_argument("--json", action="store_true")
    odds.add_argument("--language", choices=("en", "ko"), default="en")
    odds.set_defaults(run=run)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > parse.MAX_NUMBER:
        raise argparse.ArgumentTypeError(f"{text}: expected a number from 0 to {parse.MAX_NUMBER}")
    return int(text)


def run(given: argparse.Namespace) -> int:
    """Runs the command; raises Unusable with one line for what cannot be read."""
    words = phrases(given.language)
    if (given.land is None) == (given.attacker is None):
        raise Unusable("starpost odds: expected either --attacker (and --defender) or --land")
    try:
        text = _battle(given, words) if given.land is None else _landing(given, words)
    except Refusal as refusal:
        raise Unusable(f"starpost odds: {words.refusal(refusal)}") from refusal
    print(text)
    return 0


def _battle(given: argparse.Namespace, words: Phrases) -> str:
    ruleset = load_ruleset("classic")
    mine, theirs = (_technologies(ruleset, text) for text in (given.attacker_technologies, given.defender_technologies))
    battle = SpaceBattle(
        force(parse.parse_units(given.attacker), _profiles(ruleset, mine)),
        force(_request(given.defender), _profiles(ruleset, theirs), given.fighter_room),
        (ruleset.profile(Kind.PDS, theirs).hits_on or 0,) * given.pds,
        ruleset.allows(Ability.FIRE_ASSAULT_CANNON, mine),
        parse.parse_retreat_rule(given.retreat) if given.retreat else None,
    )
    battle = with_orders(battle, given.attacker_losses, given.defender_losses)
    sides = words.say("odds.attacker"), words.say("odds.defender")
    answer = judged(Asked(battle, words.say("odds.plan"), sides, ("", ""), (), "attacker"))
    return _json(answer.odds, _orders(answer)) if given.json else told(answer, words)


def _request(text: str) -> Request | None:
    return parse.parse_units(text) if text else None


def _landing(given: argparse.Namespace, words: Phrases) -> str:
    ruleset = load_ruleset("classic")
    mine, theirs = (_technologies(ruleset, text) for text in (given.attacker_technologies, given.defender_technologies))
    fight = Landing(
        (unit(ruleset.profile(Kind.GROUND_FORCE, mine)),) * given.land,
        (unit(ruleset.profile(Kind.GROUND_FORCE, theirs)),) * given.defenders,
        (ruleset.profile(Kind.PDS, theirs).hits_on or 0,) * given.pds,
        (ruleset.profile(Kind.DREADNOUGHT, mine).hits_on or 0,) * given.bombard,
        given.graviton_negator or ruleset.allows(Ability.BOMBARD_PAST_PDS, mine),
    )
    found = landing(fight)
    return _json(found, {}) if given.json else told_landing(fight, found, words)


def _technologies(ruleset: Ruleset, text: str) -> tuple[str, ...]:
    return tuple(parse.parse_technology_of(ruleset, part) for part in text.split(",") if part.strip())


def _profiles(ruleset: Ruleset, technologies: Sequence[str]) -> Profiles:
    return lambda kind: ruleset.profile(kind, technologies)


def _orders(answer: Judged) -> dict[str, Any]:
    battle = answer.asked.battle
    return {"attacker_losses": list(battle.attacker.kinds), "defender_losses": list(battle.defender.kinds)}


def _json(found: Odds, more: Mapping[str, Any]) -> str:
    numbers = {
        "attacker_wins": found.attacker_wins,
        "defender_wins": found.defender_wins,
        "both_destroyed": found.both_destroyed,
        "retreats": found.retreats,
        "rounds": found.rounds,
        "attacker_survivors": expected(found.attacker),
        "defender_survivors": expected(found.defender),
    }
    return json.dumps({**numbers, **more}, indent=1)
