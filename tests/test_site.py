"""The checker of the built site finds links that lead nowhere, and pages that the search does not know."""

from __future__ import annotations

import pytest

from tools.check_site import main


@pytest.fixture
def site(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "index.html").write_text('<a href="sub/page.html#here">x</a><a href="https://elsewhere.org/no">y</a>')
    (tmp_path / "sub" / "page.html").write_text('<p id="here"><a href="../index.html"><a href="#here"></p>')
    (tmp_path / "searchindex.js").write_text('["index", "sub/page"]')
    return tmp_path


def test_a_site_without_mistakes_says_nothing(site, capsys):
    assert main([str(site)]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("page.html#here", "pag.html", "sub/pag.html does not exist"),
        ("page.html#here", "page.html#there", "has no such place"),
        ('<a href="sub', '<img src="no.webp"><a href="sub', "no.webp does not exist"),
    ],
)
def test_a_broken_link_is_found(site, capsys, old, new, message):
    index = site / "index.html"
    index.write_text(index.read_text().replace(old, new))
    assert main([str(site)]) == 1
    assert message in capsys.readouterr().out


def test_a_page_that_cannot_be_found_is_told(site, capsys):
    (site / "searchindex.js").write_text('["index"]')
    assert main([str(site)]) == 1
    assert "sub/page is not in the search index" in capsys.readouterr().out


def test_the_command_wants_a_folder(capsys):
    assert main([]) == 2
    assert "usage" in capsys.readouterr().out
