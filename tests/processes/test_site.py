"""Which MPIs a site has, our program compiled against each, and how it is launched."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from needed import missing
from patience import PATIENCE
from stend.errors import MeasuringError
from stend.processes import mpi as launching
from stend.processes.child import MOST, ask
from stend.processes.mpi import Layout, Mpi, command, environment, libraries, program

WRAPPER = """#!/bin/sh
case $1 in
--showme:version) {version} ;;
-v) {v} ;;
-show) echo g++ -I/opt/{name}/include ;;
*) {compile} ;;
esac
"""


def wrapper(folder: Path, name: str, version: str, compile: str = "exit 0") -> Path:
    """A compiler wrapper that says it is some MPI's, with a launcher beside it."""
    open_mpi = version.startswith("mpicxx: Open MPI")
    text = WRAPPER.format(
        name=folder.name,
        version=f"echo '{version}'" if open_mpi else "echo 'unknown option' >&2; exit 1",
        v="exit 1" if open_mpi else f"echo '{version}'",
        compile=compile,
    )
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in ((folder / name, text), (folder / name.replace("cxx", "run"), "")):
        path.write_text(content)
        path.chmod(0o755)
    return folder / name


OPEN_MPI = "mpicxx: Open MPI 5.0.1 (Language: C++)"
MPICH = "mpicxx for MPICH version 4.2.0"


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    return tmp_path / "bin"


def test_the_wrapper_of_path_is_the_default_variant(path: Path) -> None:
    wrapper(path, "mpicxx", OPEN_MPI)
    wrapper(path, "mpicxx.mpich", MPICH)
    assert [each.name for each in libraries()] == ["mpich", "openmpi"]
    assert all(each.available for each in libraries())
    assert libraries()[-1].launcher == str(path / "mpirun")


def test_a_link_is_followed_to_the_name_that_tells_its_launcher(path: Path) -> None:
    wrapper(path, "mpicxx.mpich", MPICH)
    wrapper(path / "other", "mpicxx", OPEN_MPI)  # another MPI's mpirun
    (path / "mpirun").symlink_to(path / "other" / "mpirun")
    (path / "mpicxx").symlink_to(path / "mpicxx.mpich")
    assert libraries()[-1].launcher == str(path / "mpirun.mpich")


@pytest.mark.parametrize(
    ("version", "name"),
    [
        (OPEN_MPI, "openmpi"),
        (MPICH, "mpich"),
        ("mpigxx for the Intel(R) MPI Library 2021.11 for Linux*", "intel"),
        ("mpicxx for MVAPICH2 version 2.3.7", "mvapich"),
    ],
)
def test_an_mpi_is_known_by_what_its_wrapper_says(path: Path, version: str, name: str) -> None:
    wrapper(path, "mpicxx", version)
    assert name in [each.name for each in libraries() if each.available]


def test_without_mpi_each_is_a_skip_that_says_what_brings_it(path: Path) -> None:
    assert {each.name for each in libraries()} == {"openmpi", "mpich"}
    for each in libraries():
        assert "apt-get install" in each.reason
        assert each.name in each.reason


def test_a_wrapper_without_a_launcher_is_a_skip(path: Path) -> None:
    wrapper(path, "mpicxx", OPEN_MPI)
    (path / "mpirun").unlink()
    (mpi,) = (each for each in libraries() if each.name == "openmpi")
    assert "no mpirun or mpiexec next to it" in mpi.reason
    assert "openmpi-bin" in mpi.reason


def test_a_wrapper_that_is_no_mpis_is_passed_over(path: Path) -> None:
    wrapper(path, "mpicxx", "my own compiler 1.0")
    assert not any(each.available for each in libraries())


def test_a_launcher_is_named_by_the_folder_it_really_lies_in(path: Path, tmp_path: Path) -> None:
    """Open MPI takes its files to lie beside it: none do of /bin where that is /usr/bin."""
    wrapper(tmp_path / "usr" / "bin", "mpicxx", OPEN_MPI)
    path.symlink_to(tmp_path / "usr" / "bin")
    assert libraries()[-1].launcher == str(tmp_path / "usr" / "bin" / "mpirun")


@pytest.mark.parametrize("does", ["sleep 987 & wait", "exec yes"])
def test_a_program_that_never_ends_is_asked_in_vain_and_leaves_nothing(does: str) -> None:
    said = ask(["sh", "-c", f"echo $$; {does}"], patience=0.3)
    assert len(said) <= MOST
    group = int(said.split()[0])
    deadline = time.monotonic() + PATIENCE  # who is killed is buried by init a little later
    while _lives(group) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _lives(group)


def _lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def made_by(tmp_path: Path, compile: str) -> Mpi:
    made = wrapper(tmp_path / "bin", "mpicxx", OPEN_MPI, compile)
    return Mpi("openmpi", "", str(made), str(tmp_path / "bin" / "mpirun"), OPEN_MPI)


COMPILED = (
    """echo x >> {log}; while [ $# -gt 1 ]; do shift; done; echo '#!/bin/sh' > $1; chmod +x $1"""
)


def test_the_program_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    log = tmp_path / "log"
    mpi = made_by(tmp_path, COMPILED.format(log=log))
    assert program(mpi) == program(mpi)
    assert log.read_text() == "x\n"
    assert [path.name for path in program(mpi).parent.iterdir()] == ["stend-mpi"]


def test_another_version_is_another_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    mpi = made_by(tmp_path, COMPILED.format(log=tmp_path / "log"))
    other = Mpi(mpi.name, "", mpi.wrapper, mpi.launcher, "mpicxx: Open MPI 6.0")
    assert program(mpi) != program(other)


def test_a_compile_error_is_shown_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    mpi = made_by(tmp_path, "echo 'mpi.h:3: error: C++98 only' >&2; exit 1")
    with pytest.raises(MeasuringError, match=r"mpi\.h:3: error: C\+\+98 only") as failed:
        program(mpi)
    assert failed.value.detail["compiling"].startswith(mpi.wrapper)
    assert "C++98" in failed.value.detail["compiler"]
    assert list((tmp_path / "cache").rglob("stend-mpi")) == []


def test_a_compiler_that_is_missing_is_told_by_its_wrappers_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rule = "-" * 60
    box = f"{rule}\\nThe wrapper was unable to find the compiler g++.\\n{rule}"
    with pytest.raises(MeasuringError, match=r"unable to find the compiler g\+\+\.$"):
        program(made_by(tmp_path, f"printf -- '{box}\\n'; exit 1"))


def test_a_cache_that_can_not_be_written_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(MeasuringError, match="XDG_CACHE_HOME"):
        program(made_by(tmp_path, "exit 0"))


@pytest.mark.parametrize("name", ["openmpi", "mpich"])
def test_the_sources_compile_without_a_warning(name: str, tmp_path: Path) -> None:
    mpi = real(name)
    sources = Path(__file__).parents[2] / "native"
    options = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    files = [*map(str, (sources / "mpi").glob("*.cpp")), str(sources / "ground/isa/cores.cpp")]
    skip = ["-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"]
    done = subprocess.run(
        [mpi.wrapper, *options, *skip, f"-I{sources}", f"-I{sources}/ground", *files],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def real(name: str) -> Mpi:
    """The site's, or a skip."""
    (mpi,) = (each for each in libraries() if each.name == name)
    if not mpi.available:
        missing(mpi.reason)
    return mpi


def test_open_mpi_is_told_the_slots_and_not_to_bind() -> None:
    mpi = Mpi("openmpi", launcher="/opt/bin/mpirun")
    words = command(mpi, Layout(4, ("n1", "n2")), Path("/p"), ("pingpong",))
    assert " ".join(words) == "/opt/bin/mpirun -n 4 --host n1:2,n2:2 --bind-to none /p pingpong"


def test_mpich_is_told_hosts_and_ranks_a_host() -> None:
    mpi = Mpi("mpich", launcher="/opt/bin/mpiexec")
    words = command(mpi, Layout(2, ("n1", "n2")), Path("/p"), ())
    assert " ".join(words) == "/opt/bin/mpiexec -n 2 -hosts n1,n2 -ppn 1 /p"
    assert " ".join(command(mpi, Layout(2), Path("/p"), ())) == "/opt/bin/mpiexec -n 2 /p"


def test_in_a_slurm_job_srun_starts_open_mpis_ranks_on_other_hosts(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.mkdir()
    (path / "srun").write_text("#!/bin/sh\necho 'srun: pmi2 srun: pmix' >&2")
    (path / "srun").chmod(0o755)
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    mpi = Mpi("openmpi", launcher="/opt/bin/mpirun")
    assert command(mpi, Layout(2), Path("/p"), ())[0] == "/opt/bin/mpirun"
    assert "SLURM_JOB_ID" not in environment(mpi, Layout(2))
    words = command(mpi, Layout(2, ("n1", "n2")), Path("/p"), ())
    assert words[:2] == ("srun", "--mpi=pmix")
    assert {"--nodelist=n1,n2", "--ntasks-per-node=1"} <= set(words)
    uneven = command(mpi, Layout(5, ("n1", "n2")), Path("/p"), ())  # srun deals them itself
    assert not any(word.startswith("--ntasks-per-node") for word in uneven)
    assert "SLURM_JOB_ID" in environment(mpi, Layout(2, ("n1", "n2")))


def test_what_the_site_sets_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "emulated")
    monkeypatch.setattr(launching, "_memory_of_others", lambda: False)
    passed = environment(Mpi("openmpi"), Layout(2))
    assert passed["OMPI_MCA_btl_vader_single_copy_mechanism"] == "emulated"


def test_where_ranks_may_not_read_each_other_open_mpi_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(launching, "_memory_of_others", lambda: False)
    passed = environment(Mpi("openmpi"), Layout(2))
    assert passed["OMPI_MCA_btl_vader_single_copy_mechanism"] == "none"
