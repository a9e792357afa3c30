"""The places that several tests of the library share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.library.shelf import Shelf
from tests.library.places import Places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    places = Places(tmp_path)
    places.project.mkdir()
    places.own.mkdir()
    return places


@pytest.fixture
def shelf(places: Places) -> Iterator[Shelf]:
    shelf = places.shelf()
    yield shelf
    shelf.close()
