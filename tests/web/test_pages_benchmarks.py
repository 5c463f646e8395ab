"""The benchmarks in the browser: grouped, found by words, each with its page."""

import pytest

from web.served import ask
from web.watched import WINDOWS, fits, watched


@pytest.mark.parametrize("window", WINDOWS)
def test_words_narrow_the_list_to_a_family_and_lead_to_a_page(browser, site, window):
    with watched(browser, f"{site.url}/benchmarks", window) as page:
        page.get_by_label("Words").fill("bytes stream.tri")
        page.keyboard.press("Enter")
        page.wait_for_url("**/benchmarks?search=*")
        assert page.locator(".listed a").all_inner_texts() == ["stream.triad"]
        assert page.get_by_text("measured here").is_visible()
        page.locator(".listed a").click()
        page.get_by_role("heading", name="What is measured").wait_for()
        assert page.get_by_text("1 run measured it here").is_visible()
        assert fits(page)


def test_a_suite_is_a_word_too(site):
    text = ask(site.url, "/benchmarks?search=processor").text
    assert 'href="/benchmarks/peak.float64"' in text
    assert 'href="/benchmarks/stream.triad"' not in text


def test_words_that_none_has_are_told(site):
    assert "No benchmark matches" in ask(site.url, "/benchmarks?search=%3Cb%3E").text
