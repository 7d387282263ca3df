"""The historic tours: what they are known for."""

import json
from pathlib import Path

import pytest

from knighttour import InvalidInputError, classify, historic, historic_tours

PUBLISHED = {
    entry["id"]: entry
    for entry in json.loads((Path(__file__).parent / "data" / "tours.json").read_text("utf-8"))
}
UNHISTORIC = ("published in public", "computed and checked for this project")


def test_all_published_tours_with_a_historic_source_are_there():
    expected = {
        name: entry["source"]
        for name, entry in PUBLISHED.items()
        if entry["source"] not in UNHISTORIC
    }
    assert historic_tours() == expected


@pytest.mark.parametrize("name", historic_tours())
def test_a_historic_tour_is_the_published_one(name):
    found, entry = historic(name), PUBLISHED[name]
    assert found == [tuple(square) for square in entry["squares"]]
    assert found.closed is entry["closed"]
    assert classify(found).half_turn is entry["sym180"]
    assert entry["source"] in found.stats.method


def test_the_semimagic_ones():
    magic = {name for name in historic_tours() if classify(historic(name)).semimagic}
    assert magic == {
        "beverley1848",
        "dudeney_amusements_nearmagic",
        "jelliss2003_d5f4",
        "mms2003_b3d2",
    }


@pytest.mark.parametrize("name", ["euler", "", None, 7, ["beverley1848"]])
def test_an_unknown_name_lists_the_known_ones(name):
    with pytest.raises(InvalidInputError, match="beverley1848"):
        historic(name)
