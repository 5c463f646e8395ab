"""What the viewer's server gives: planes as they are, and to others one sentence."""

import json
import socket
from contextlib import ExitStack, suppress
from dataclasses import replace

import numpy as np
import pytest

import stend_tomo as tomo
from stend_tomo import reconstruct
from stend_tomo.errors import BadOption
from stend_tomo.phantoms.faults import Images
from stend_tomo.preparation import remove_stripes
from stend_tomo.view import Server, ShownScan, ShownVolume, volume_view
from stend_tomo.view.connections import FewIdle
from stend_tomo.view.server import Watched
from view_scans import (
    ANGLES,
    CENTER,
    COLUMNS,
    METHOD,
    PROBLEM,
    ROWS,
    scan,
    shown_scan,
    shown_volume,
    volume,
)
from view_serving import get, plane, served


@pytest.fixture(scope="module")
def of_scan():
    with served(shown_scan()) as address:
        yield address


@pytest.fixture(scope="module")
def of_volume():
    with served(shown_volume()) as address:
        yield address


def slices(**options):
    return reconstruct(PROBLEM.projections(), ANGLES, center=CENTER, pixel=0.5, **options)


def test_projections_and_sinograms_are_the_scans(of_scan):
    assert np.array_equal(plane(of_scan + "projection/7")[0], PROBLEM.projections()[7])
    assert np.array_equal(plane(of_scan + "sinogram/3")[0], PROBLEM.projections()[:, 3])


def test_counts_are_normalised_the_same_in_both_directions():
    beam, dark = np.full((2, ROWS, COLUMNS), 1100.0), np.full((2, ROWS, COLUMNS), 100.0)
    counts = 100 + 1000 * np.exp(-PROBLEM.projections() / 20)
    given = scan(
        projections=Images(counts), flats=Images(beam), darks=Images(dark), normalized=False
    )
    shown = ShownScan(given, "", METHOD)
    one, other = shown.projection(4, {}).values, shown.sinogram(11, {}).values
    assert np.allclose(one, PROBLEM.projections()[4] / 20, atol=1e-5)
    assert np.allclose(other[4], one[11], atol=1e-6)


@pytest.mark.parametrize("algorithm", ["dfr", "fbp", "hfbp"])
def test_a_slice_is_what_reconstruct_gives(of_scan, algorithm):
    got, said = plane(f"{of_scan}slice/12?algorithm={algorithm}&filter=hann&cutoff=0.8")
    assert said == {"shape": [COLUMNS, COLUMNS], "step": 1, "origin": [0, 0]}
    assert np.allclose(got, slices(algorithm=algorithm, filter="hann", cutoff=0.8)[12], atol=1e-6)


def test_stripes_are_removed_from_sinogram_and_slices_as_elsewhere(of_scan):
    clean = remove_stripes(PROBLEM.projections(), 5)
    assert np.allclose(plane(of_scan + "sinogram/3?stripes=5")[0], clean[:, 3])
    expected = reconstruct(clean, ANGLES, center=CENTER, pixel=0.5)
    assert np.allclose(plane(of_scan + "slice/12?stripes=5")[0], expected[12], atol=1e-6)
    assert np.allclose(plane(of_scan + "coronal/20?stripes=5")[0], expected[:, 20], atol=1e-6)


def test_planes_across_the_slices_are_cut_from_them(of_scan, of_volume):
    assert np.allclose(plane(of_scan + "coronal/20")[0], slices()[:, 20], atol=1e-6)
    assert np.allclose(plane(of_scan + "sagittal/33")[0], slices()[:, :, 33], atol=1e-6)
    assert np.array_equal(plane(of_volume + "slice/2")[0], volume()[2])
    assert np.array_equal(plane(of_volume + "coronal/6")[0], volume()[:, 6])
    assert np.array_equal(plane(of_volume + "sagittal/8")[0], volume()[:, :, 8])


def test_a_large_scans_overview_is_coarser_and_in_place(monkeypatch):
    monkeypatch.setattr(volume_view, "LARGEST", 4 * ROWS * COLUMNS * COLUMNS // 8)
    with served(shown_scan()) as address:
        values, said = plane(address + "coronal/20")
    assert said["step"] == 2
    assert values.shape == (ROWS // 2, COLUMNS // 2)
    assert said["origin"] == [0.5, 0.5]
    full = slices().reshape(ROWS // 2, 2, COLUMNS // 2, 2, COLUMNS // 2, 2).mean(axis=(1, 3, 5))
    near = [full[:, 9], full[:, 10], full[:, 11], np.roll(full[:, 10], 1, 1), full[::-1, 10]]
    alike = [np.corrcoef(values.ravel(), other.ravel())[0, 1] for other in near]
    assert alike[1] > 0.95
    assert np.argmax(alike) == 1
    assert values.std() == pytest.approx(full[:, 10].std(), rel=0.1)  # in the same unit


def test_a_coarse_overview_of_columns_that_fill_no_pixel_is_about_the_axis(monkeypatch):
    monkeypatch.setattr(volume_view, "LARGEST", 4 * 8 * 21 * 21)
    shown = shown_scan()
    plane_across = shown.overview({}).coronal(20)
    shown.close()
    assert (plane_across.step, plane_across.origin) == (3, (1.0, 1.5))


def test_a_stored_volumes_overview_is_means_of_its_slices(monkeypatch, tmp_path):
    values = np.random.default_rng(2).normal(size=(7, 8, 6)).astype(np.float32)
    tomo.write(tmp_path / "v.h5", values, format="hdf5")
    monkeypatch.setattr(volume_view, "LARGEST", 4 * 3 * 4 * 3)
    monkeypatch.setattr("stend_tomo.view.volume_view.SLAB", 4 * 4 * 8 * 6)  # two slices at once
    with served(ShownVolume(tomo.read_volume(tmp_path / "v.h5"), "")) as address:
        got, said = plane(address + "coronal/3")
    means = values[:6].reshape(3, 2, 4, 2, 3, 2).mean(axis=(1, 3, 5))
    assert (said["step"], said["origin"]) == (2, [0.5, 0.5])
    assert np.allclose(got, means[:, 1], atol=1e-6)


def test_what_was_seen_is_not_sent_again(of_scan):
    _, headers, _ = get(of_scan + "slice/3")
    assert "max-age" in headers["cache-control"]
    assert get(of_scan + "slice/3", If_None_Match=headers["etag"])[0] == 304
    assert get(of_scan + "slice/4", If_None_Match=headers["etag"])[0] == 200


def test_a_scan_without_flats_or_angles_still_shows_what_was_counted():
    for lacking in (scan(normalized=False), scan(angles=None)):
        shown = ShownScan(lacking, "", METHOD)
        assert "there are no slices" in shown.about()["lacking"]
        assert np.array_equal(shown.sinogram(0, {}).values, PROBLEM.projections()[:, 0])
        with pytest.raises(BadOption, match="there are no slices"):
            shown.slice(0, {})


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("slice/24", "There is no slice 24; there are 24"),
        ("slice/-1", "An index is a whole number"),
        ("slice/1e3", "An index is a whole number"),
        ("slice/99999999999999999999", "An index is a whole number"),
        ("sinogram/%D9%A3", "An index is a whole number"),
        ("projection/90", "There is no projection 90"),
        ("slice/1?algorithm=magic", "There is no algorithm magic"),
        ("slice/1?filter=../../etc/passwd", "There is no filter"),
        ("slice/1?center=nan", "The center nan is not from -45 to 108"),
        ("slice/1?center=1e300", "is not from -45 to 108"),
        ("coronal/1?cutoff=0", "The cutoff 0 is not"),
        ("coronal/1?cutoff=0.04", "The cutoff 0.04 is not from 0.05 to 1"),
        ("slice/1?stripes=-3", "The width of stripes -3 is not a number of columns"),
        ("slice/1?stripes=4", "is 4 columns; it must be odd"),
        ("slice/1?size=100000", "A slice has no setting size"),
    ],
)
def test_a_request_that_makes_no_sense_is_one_sentence(of_scan, path, sentence):
    status, _, body = get(of_scan + path)
    assert status == 400
    assert sentence in body.decode()
    assert body.count(b"\n") == 1


@pytest.mark.parametrize(
    "path",
    ["view.py", "../view.js", "..%2f..%2fserving.py", "%2e%2e/%2e%2e/etc/passwd", "slice/", "//"],
)
def test_no_path_reaches_a_file(of_scan, path):
    status, _, body = get(of_scan + path)
    assert status in (403, 404)
    assert body.count(b"\n") == 1


def test_only_the_whole_address_by_loopbacks_name_is_answered(of_scan):
    root, secret = of_scan.rstrip("/").rsplit("/", 1)
    assert len(secret) >= 22
    assert get(of_scan + "about.json", Host="localhost:80")[0] == 200
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", ""):
        assert get(of_scan + "about.json", Host=host)[0] == 403
    for wrong in ("", "about.json", f"{secret[:-1]}/about.json", "%FF/about.json"):
        assert get(f"{root}/{wrong}")[0] == 403


def test_clients_that_say_too_much_or_never_end_hold_nobody_up(of_scan):
    port = int(of_scan.split(":")[2].split("/")[0])
    with socket.create_connection(("127.0.0.1", port)) as slow:
        slow.sendall(b"GET /half-a-request")
        assert get(of_scan + "about.json")[0] == 200
    with socket.create_connection(("127.0.0.1", port)) as hostile, suppress(ConnectionError):
        hostile.sendall(b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " not in hostile.recv(64)
    assert get(of_scan + "about.json")[0] == 200


def test_a_request_of_two_lengths_is_refused(of_scan):
    port = int(of_scan.split(":")[2].split("/")[0])
    lengths = b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"
    with socket.create_connection(("127.0.0.1", port), 10) as hostile:
        hostile.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + lengths + b"\r\n0\r\n\r\n")
        assert hostile.recv(12) == b"HTTP/1.1 400"
        with suppress(ConnectionError):
            while hostile.recv(1 << 12):
                pass


def test_connections_that_ask_nothing_end_for_new_ones(of_scan):
    port = int(of_scan.split(":")[2].split("/")[0])
    with ExitStack() as held:
        silent = [
            held.enter_context(socket.create_connection(("127.0.0.1", port), 10))
            for _ in range(FewIdle.most_idle + 8)
        ]
        assert get(of_scan + "about.json")[0] == 200
        with suppress(ConnectionError):
            assert silent[0].recv(1) == b""
        silent[-1].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert silent[-1].recv(12) == b"HTTP/1.1 403"


def test_a_request_to_upgrade_is_one_for_the_page(of_scan):
    port, _, path = of_scan.split(":")[2].partition("/")
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    with socket.create_connection(("127.0.0.1", int(port)), 10) as asking:
        asking.sendall(f"GET /{path} HTTP/1.1\r\nHost: localhost\r\n{upgrade}{key}\r\n".encode())
        assert asking.recv(12) == b"HTTP/1.1 200"


def test_a_file_that_is_not_the_same_any_more_is_told(tmp_path):
    path = tmp_path / "scan.npy"
    path.write_bytes(b"one")
    watched = Watched(path)
    assert watched.fault() is None
    path.write_bytes(b"longer")
    assert "scan.npy has changed since it was opened" in watched.fault()
    path.unlink()
    assert "scan.npy was removed" in watched.fault()


def test_the_answers_let_no_other_page_in(of_scan):
    _, headers, _ = get(of_scan)
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers


def test_every_server_has_another_secret_and_a_taken_port_is_a_sentence(of_scan):
    port = int(of_scan.split(":")[2].split("/")[0])
    with pytest.raises(BadOption, match=f"Port {port} can't be used"):
        Server(shown_volume(), port)


def test_what_is_shown_is_told(of_scan, of_volume):
    about = json.loads(get(of_scan + "about.json")[2])
    assert (about["kind"], about["unit"], about["method"]["center"]) == ("scan", "1/mm", CENTER)
    assert json.loads(get(of_volume + "about.json")[2])["slices"] == 5
    assert get(of_volume + "sinogram/0")[0] == 404


def test_a_failure_while_an_overview_is_made_is_told():
    broken = replace(scan(), projections=Images(np.full((90, ROWS, COLUMNS), np.nan, np.float32)))
    with served(ShownScan(broken, "", METHOD)) as address:
        while (answer := get(address + "coronal/1"))[0] == 202:
            pass
    assert answer[0] == 400
    assert b"NaN" in answer[2] or b"no number" in answer[2] or b"finite" in answer[2]


def test_an_address_with_a_slash_too_many_is_none_and_leads_nowhere(of_scan):
    assert get(of_scan + "slice/3/")[0] == 404
