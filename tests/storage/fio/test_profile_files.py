"""Profiles that people write: what is wrong is told in one sentence with its place; no surprise."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.errors import BadValue
from stend.storage.fio.profile import LONGEST, NAMES, parsed, profile_text, read_profile

WORKLOAD = '[[workload]]\nname = "a"\nrw = "randread"\nblock = "4k"\n'
TOP = 'about = "x"\nruntime = 1\n'


def read(text):
    return parsed(text, "my", "my.toml")


def refusal(text):
    """What is said of a profile that is refused; nothing of one that is taken."""
    try:
        read(text)
    except BadValue as told:
        return str(told)
    return ""


def one(line):
    """The only workload of a profile in which it has this line too."""
    (workload,) = read(TOP + WORKLOAD + line).workloads
    return workload


@pytest.mark.parametrize(
    ("written", "bytes"),
    [("4096", 4096), ('"4KiB"', 4096), ('"128k"', 131072), ('"1GiB"', 1 << 30), ('"1.5k"', 1536),
     ('"512"', 512), ('"512B"', 512), ('"1 M"', 1 << 20), ("0x1000", 4096)],
)  # fmt: skip
def test_sizes_have_units_of_1024_as_fio_has_them(written, bytes):
    text = TOP + f'[[workload]]\nname = "a"\nrw = "read"\nblock = {written}\n'
    assert read(text).workloads[0].block == bytes


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("2400", 2400), ("2.5", 2.5), ('"40m"', 2400), ('"1h"', 3600), ('"30s"', 30),
     ('"1500ms"', 1.5), ('"1d"', 86400), ('"0.5 h"', 1800)],
)  # fmt: skip
def test_times_have_units(written, seconds):
    assert read(f'about = "x"\nruntime = {written}\n' + WORKLOAD).seconds == seconds


@pytest.mark.parametrize("nothing", ["0", '"0"', '"0s"'])
def test_no_warm_up_is_written_as_people_write_it(nothing):
    text = f'about = "x"\nruntime = 1\nwarm_up = {nothing}\n'
    assert read(text + WORKLOAD).warm_up == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("dpeth = 4", "my.toml: workload[1] has no key 'dpeth'; did you mean 'depth'?"),
        ("iodepth = 4", "workload[1] has no key 'iodepth'; here it is called 'depth'."),
        ('jobs_per = "lun"', 'jobs_per is \'lun\'; give one of "all", "target".'),
        ("bs = 4", "workload[1] has no key 'bs'; here it is called 'block'."),
        ("qqq = 4", "has no key 'qqq'; the keys are: block, depth, direct, engine,"),
        ("depth = 0", "workload[1].depth is 0; give a whole number from 1 to 65536, or a list"),
        ("depth = -1", "workload[1].depth is -1; give"),
        ("depth = true", "workload[1].depth is true; give"),
        ("depth = 1.5", "workload[1].depth is 1.5; give"),
        ("depth = nan", "workload[1].depth is nan; give"),
        ('depth = "many"', "workload[1].depth is 'many'; give"),
        ("depth = []", "workload[1].depth is []; give"),
        ("depth = [4, 4]", "workload[1].depth is [4, 4]; give"),
        ("depth = [[4]]", "workload[1].depth is [[4]]; give"),
        ("depth = 1979-05-27", "workload[1].depth is datetime.date"),
        ("jobs = 5000", "workload[1].jobs is 5000; give a whole number from 1 to 4096"),
        ("load = [0]", "workload[1].load is [0]; give a whole number from 1 to 100"),
        ('size = "0%"', "workload[1].size is '0%'; give a share like \"80%\", or a size like"),
        ('size = "101%"', "workload[1].size is '101%'; give"),
        ('size = "1KB"', "workload[1].size is '1KB'; give"),
        ('engine = "libaoi"', "is 'libaoi'; give one of \"libaio\", \"io_uring\", \"psync\"."),
        ('engine = "exec"', "workload[1].engine is 'exec'; give one of"),
        ("direct = 1", "workload[1].direct is 1; give true or false."),
        ("read_percent = 70", 'is for "rw" and "randrw", and rw is \'randread\'; leave it out.'),
        ('engine = "psync"\ndepth = 2', 'workload[1].depth is 2, but engine "psync" waits'),
        ("direct = false\ndepth = 2", 'depth is 2, but engine "libaio" waits for each request un'),
        ('fio.filename = "/dev/sda"', "workload[1].fio has no key 'filename'; the keys are: "),
        ("fio.hipri = true", 'is an option of the engine io_uring, and the engine is "libaio";'),
        ('fio.sync = "yes"', "workload[1].fio.sync is 'yes'; give one of"),
        ("fio = 3", "workload[1].fio is 3; give a table of keys."),
        (WORKLOAD, "workload[2].name is 'a' for the second time; rename one."),
        (WORKLOAD.replace('"a"', '"b"'), "workload[2] 'b' is the same workload as 'a'."),
    ],
)  # fmt: skip
def test_a_wrong_workload_is_one_sentence(line, said):
    with pytest.raises(BadValue, match=re.escape(said)) as told:
        one(line)
    assert told.value.args[0].startswith("my.toml: workload[")
    assert "\n" not in told.value.args[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WORKLOAD, "my.toml: about is missing; give a text of at most 500 characters."),
        ('about = ""\nruntime = 1\n' + WORKLOAD, "about is ''; give a text"),
        ('about = "\\u001b"\nruntime = 1\n' + WORKLOAD, r"about is '\x1b'; give a text"),
        ('about = "x"\n' + WORKLOAD, "runtime is missing; give a time like"),
        ('about = "x"\nruntime = nan\n' + WORKLOAD, "runtime is nan; give a time"),
        ('about = "x"\nruntime = -1\n' + WORKLOAD, "runtime is -1; give a time"),
        ('about = "x"\nruntime = 1e999\n' + WORKLOAD, "runtime is inf; give a time"),
        ('about = "x"\nruntime = "31d"\n' + WORKLOAD, "from 1s to 30d."),
        ('about = "x"\nruntime = "1y"\n' + WORKLOAD, "runtime is '1y'; give a time"),
        (f'about = "x"\nruntime = 0x{"f" * 9000}\n' + WORKLOAD, "is a value too large to be shown"),
        (f'about = "x"\nruntime = {"9" * 5000}\n' + WORKLOAD, "my.toml: it is not TOML: "),
        (TOP, "my.toml: workload is missing; give each workload a table [[workload]]."),
        (TOP + "workload = []", "workload is []; give each workload a table"),
        (TOP + "workload = 3", "workload is 3; give each workload a table"),
        (TOP + "workload = [3]", "workload[1] is 3; give a table of keys."),
        (TOP + '[[workload]]\nname = "a"', "workload[1].rw is missing; give one of"),
        (TOP + '[[workload]]\nname = "a"\nrw = "read"', "workload[1].block is missing; give"),
        (TOP + '[[workload]]\nrw = "read"\nblock = 512', "workload[1].name is missing; give"),
        (TOP + 'log_avg_msec = 3\n' + WORKLOAD, "there is no key 'log_avg_msec'; here it is call"),
        (TOP + "ronds = 3\n" + WORKLOAD, "there is no key 'ronds'; did you mean 'rounds'?"),
        (TOP + "[defaults]\ndepth = 0\n" + WORKLOAD, "my.toml: defaults.depth is 0; give"),
        (TOP + "[defaults]\nname = 1\n" + WORKLOAD, "defaults has no key 'name'; "),
        (TOP + "[steady]\nmost = 9\n" + WORKLOAD, "steady.round is missing; give a time"),
        (TOP + "[steady]\nround = 9\nmost = 4\n" + WORKLOAD, "steady.most is 4; give a whole num"),
        (TOP + "steady = true\n" + WORKLOAD, "steady is true; give a table of keys."),
        (TOP + "precondition = 0.5\n" + WORKLOAD, "precondition is 0.5; give a whole number"),
        (TOP + 'file_size = "100k"\n' + WORKLOAD, "file_size is '100k'; give a size like"),
        ("a = " + "[" * 5000 + "]" * 5000, "my.toml: it is nested too deeply to be a profile."),
        ("a = ", "my.toml: it is not TOML: Invalid value"),
        ("", "about is missing"),
    ],
)  # fmt: skip
def test_a_wrong_profile_is_one_sentence(text, said):
    with pytest.raises(BadValue, match=re.escape(said)) as told:
        read(text)
    assert "\n" not in told.value.args[0]
    assert len(told.value.args[0]) < 500


@pytest.mark.parametrize("name", ["", "a b", "a\nb", "a]", "global", "globalx", "-a", "a" * 65])
def test_a_name_that_would_not_be_a_section_of_its_own_is_refused(name):
    with pytest.raises(BadValue, match=r"workload\[1\]\.name is "):
        read(TOP + WORKLOAD.replace('"a"', repr(name).replace("'", '"')))


def test_lists_make_each_combination_and_names_tell_them_apart():
    text = TOP + WORKLOAD.replace('"4k"', '["4k", "1M"]') + "depth = [1, 8]\nload = [50]\n"
    names = [workload.name for workload in read(text).workloads]
    assert names[:4] == ["a-4KiB-depth-1", "a-4KiB-depth-1-load-50", "a-4KiB-depth-8",
                         "a-4KiB-depth-8-load-50"]  # fmt: skip
    assert len(set(names)) == 8


def test_billions_of_workloads_are_refused_before_they_are_made():
    numbers = ", ".join(map(str, range(1, 101)))
    lists = f"depth = [{numbers}]\njobs = [{numbers}]\nload = [{numbers}]\n"
    with pytest.raises(BadValue, match=r"makes 1,010,000 workloads, .* at most 1,000"):
        one(lists)


def test_defaults_hold_unless_a_workload_says_otherwise():
    defaults = '[defaults]\ndepth = 7\nread_percent = 70\nfio.sync = "sync"\nfio.prio = 3\n'
    more = '[[workload]]\nname = "b"\nrw = "rw"\nblock = 512\ndepth = 2\nfio.sync = "dsync"\n'
    a, b = read(TOP + defaults + WORKLOAD + more).workloads
    assert (a.depth, a.read_percent, a.options) == (7, None, {"sync": "sync", "prio": "3"})
    assert (b.depth, b.read_percent, b.options) == (2, 70, {"sync": "dsync", "prio": "3"})


def test_mixed_workloads_read_half_unless_told():
    assert one("").read_percent is None
    mixed = TOP + WORKLOAD.replace("randread", "randrw")
    assert read(mixed).workloads[0].read_percent == 50


def test_what_differs_from_the_usual_is_part_of_the_case():
    plain = one("")
    assert plain.benchmark == "storage.randread"
    assert plain.parameters("null") == {"block": 4096, "depth": 1, "jobs": 1, "target": "null"}
    odd = one('engine = "psync"\ndirect = false\nsize = "80%"\nfio.fsync = 1\n')
    assert odd.parameters("file") == plain.parameters("file") | {
        "engine": "psync", "direct": 0, "size": "80%", "fsync": "1"
    }  # fmt: skip


def test_jobs_of_each_target_are_told_all_together():
    each = one('jobs = 2\ndepth = 64\njobs_per = "target"\n')
    shared = one("jobs = 16\ndepth = 64\n")
    assert each.parameters("file", 8) == shared.parameters("file", 8), "the very same load"
    assert each.parameters("file", 4)["jobs"] == 8
    sequential = TOP + WORKLOAD.replace("randread", "read") + 'jobs = 2\njobs_per = "target"\n'
    (clones,) = read(sequential).workloads
    assert clones.parameters("file", 8)["clones"] == "overlap", "and no slices"


def test_a_file_that_is_too_long_or_no_text_is_told(tmp_path):
    path = tmp_path / "my.toml"
    for held, said in (
        (b"#" * (LONGEST + 1), "has more than 65,536 bytes"),
        (TOP.encode() + b"\xff", "is not UTF-8 text: byte 24 is 0xff"),
    ):
        path.write_bytes(held)
        with pytest.raises(BadValue, match=said):
            read_profile(str(path))


@pytest.mark.parametrize(
    "name", ["gone.toml", "gone/quick", "/", "a\0b.toml", "a" * 5000 + ".toml"]
)
def test_a_file_that_is_not_there_is_told(name):
    with pytest.raises(BadValue, match="can't be read: "):
        read_profile(name)


@given(st.sampled_from(NAMES), st.data())
def test_a_damaged_profile_is_a_profile_or_bad_value(name, data):
    text = profile_text(name)
    start = data.draw(st.integers(0, len(text)))
    end = min(len(text), start + data.draw(st.integers(0, 40)))
    put = data.draw(st.text(max_size=20) | st.sampled_from(
        ["nan", "-1", "1e999", "[]", "{}", '"', "\n[[workload]]\n", "[[[", "9" * 99, "\0", "'''"]
    ))  # fmt: skip
    said = refusal(text[:start] + put + text[end:])
    assert "\n" not in said
    assert said == "" or said.startswith("my.toml: ")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=5,
)


def toml(value):
    if isinstance(value, dict):
        inside = ", ".join(f'"{key.encode().hex()}" = {toml(x)}' for key, x in value.items())
        return "{" + inside + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(c):08x}" for c in value) + '"'
    return {True: "true", False: "false", None: "1979-05-27"}.get(value, repr(value))


@given(
    st.sampled_from(["name", "rw", "block", "depth", "jobs", "load", "engine", "direct", "size",
                     "read_percent", "fio", "fio.prio", "fio.cpus_allowed"]),
    VALUES,
)  # fmt: skip
def test_any_value_of_any_key_is_taken_or_refused_at_its_place(key, value):
    keys = {"name": '"a"', "rw": '"randread"', "block": "4096"}
    keys[key] = toml(value)
    text = TOP + "[[workload]]\n" + "\n".join(f"{k} = {v}" for k, v in keys.items())
    said = refusal(text)
    assert said == "" or f"workload[1].{key}" in said
