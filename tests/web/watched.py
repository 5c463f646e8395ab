"""A page in the browser that tells what it complained of and what it asked for."""

from contextlib import contextmanager

WINDOWS = {"desktop light": (1280, "light"), "phone dark": (390, "dark")}


def fits(page):
    """Whether it is no wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@contextmanager
def watched(browser, address, window="desktop light", javascript=True):
    """Closed in the end; whatever the page complained of by then fails the test."""
    width, scheme = WINDOWS[window]
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        java_script_enabled=javascript,
    )
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.complaints, page.asked = [], []
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("dialog", lambda dialog: page.complaints.append(f"dialog: {dialog.message}"))
    page.on("request", lambda request: page.asked.append(request.url))
    try:
        page.goto(address)
        yield page
        assert page.complaints == []
        own = (address[: address.index("/", len("https://"))], "data:", "blob:")
        assert [url for url in page.asked if not url.startswith(own)] == []
    finally:
        context.close()
