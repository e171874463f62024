"""Names of users: Korean particles after any of them, and no name that pings or breaks a message."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.phrases import LANGUAGES, PARTICLES, phrases, safe, with_particle


@pytest.mark.parametrize(
    ("name", "subject", "towards"),
    [
        ("엠버", "엠버가", "엠버로"),
        ("불꽃단", "불꽃단이", "불꽃단으로"),
        ("서울", "서울이", "서울로"),
        ("초록빛", "초록빛이", "초록빛으로"),
        ("101", "101이", "101로"),
        ("102", "102가", "102로"),
        ("103", "103이", "103으로"),
        ("100", "100이", "100으로"),
        ("206", "206이", "206으로"),
        ("207", "207이", "207로"),
        ("Tidewright", "Tidewright가", "Tidewright로"),
        ("Emberfolk", "Emberfolk가", "Emberfolk로"),
        ("Moon", "Moon이", "Moon으로"),
        ("Ring", "Ring이", "Ring으로"),
        ("Hole", "Hole이", "Hole로"),
        ("Apple", "Apple이", "Apple로"),
        ("Throne", "Throne이", "Throne으로"),
        ("Rock", "Rock이", "Rock으로"),
        ("Lake", "Lake가", "Lake로"),
        ("Boat", "Boat가", "Boat로"),
        ("Ünal", "Ünal이", "Ünal로"),
        ("P.D.S.", "P.D.S.가", "P.D.S.로"),
        ("NPL", "NPL이", "NPL로"),
        ("X", "X가", "X로"),
        ("M", "M이", "M으로"),
        ("**불꽃단**", "**불꽃단**이", "**불꽃단**으로"),
        ("`엠버`", "`엠버`가", "`엠버`로"),
        ("불꽃단)", "불꽃단)이", "불꽃단)으로"),
        ("엠버 (red one)", "엠버 (red one)가", "엠버 (red one)로"),
        ("불꽃단🚀", "불꽃단🚀이", "불꽃단🚀으로"),
        ("엠버!?", "엠버!?가", "엠버!?로"),
        ("\u2068엠버\u2069", "\u2068엠버\u2069가", "\u2068엠버\u2069로"),
        ("🚀", "🚀이(가)", "🚀(으)로"),
        ("Жук", "Жук이(가)", "Жук(으)로"),
        ("<@1234>", "<@1234>이(가)", "<@1234>(으)로"),
        ("<@1234> (엠버)", "<@1234> (엠버)이(가)", "<@1234> (엠버)(으)로"),
        ("", "이(가)", "(으)로"),
    ],
)
def test_particles(name: str, subject: str, towards: str) -> None:
    assert with_particle(name, "이") == with_particle(name, "가") == subject
    assert with_particle(name, "으로") == with_particle(name, "로") == towards


@pytest.mark.parametrize(
    ("particle", "closed", "opened"),
    [
        ("은", "단은", "버는"),
        ("를", "단을", "버를"),
        ("과", "단과", "버와"),
        ("나", "단이나", "버나"),
        ("이라", "단이라", "버라"),
        ("아", "단아", "버야"),
    ],
)
def test_every_pair_by_either_form(particle: str, closed: str, opened: str) -> None:
    assert with_particle("단", particle) == closed
    assert with_particle("버", particle) == opened


@given(st.text(max_size=100), st.sampled_from(sorted(PARTICLES)))
def test_any_name_keeps_its_letters_before_the_particle(name: str, particle: str) -> None:
    said = with_particle(name, particle)
    assert said.startswith(name)
    assert said[len(name) :].strip("()") != ""


HOSTILE = (
    "@everyone",
    "@here",
    "<@123456789012345678>",
    "<@&123456789012345678>",
    "<#123456789012345678>",
    "**bold** _under_ ~~gone~~",
    "`code` ```block```",
    "||spoiler||",
    "[text](https://evil.example)",
    "https://evil.example",
    "# heading",
    "> quote",
    "two\nlines\r\nand\u2028more",
    "\u202eright to left",
    "שלום",
    "مرحبا \u202e",
    "\\",
    "zero\u200bwidth\u2066x\u2069",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_harmless(name: str) -> None:
    shown = safe(name)
    assert "\n" not in shown
    assert "\r" not in shown
    assert "\u2028" not in shown
    assert "@everyone" not in shown
    assert "@here" not in shown
    assert "<@" not in shown.replace("\\<", "")
    assert "<#" not in shown.replace("\\<", "")
    assert "://" not in shown
    assert not any(char in shown for char in "\u202a\u202b\u202d\u202e\u2066\u2067")
    bare = shown
    for escaped in ("\\\\", "\\*", "\\_", "\\~", "\\`", "\\|", "\\<", "\\>", "\\[", "\\]", "\\#"):
        bare = bare.replace(escaped, "")
    assert not set(bare) & set("\\*_~`|<>[]#")


def test_an_ordinary_name_is_shown_as_it_is() -> None:
    for name in ("Emberfolk", "불꽃단", "New Terra 2", "L'Étoile", "Bel-Shar", "👨‍👩‍👧"):
        assert safe(name) == name


def test_text_from_right_to_left_does_not_turn_what_follows() -> None:
    assert safe("שלום") == "\u2068שלום\u2069"


@given(st.text(max_size=100))
def test_no_name_pings_or_opens_a_line(name: str) -> None:
    shown = safe(name)
    assert "\n" not in shown
    assert "@everyone" not in shown
    assert "@here" not in shown
    assert not any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_with_braces_is_no_template(language: str) -> None:
    assert "{n} {player}" in phrases(language).say("post.phase_ended", player="{n} {player}")
