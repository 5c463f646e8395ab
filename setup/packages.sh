# Debian's packages that each purpose needs (without them it can't go on) or wishes for (without
# them something is unknown, or a test is skipped with a reason), and how to find out whether they
# are installed. Installs what is missing through apt as root or with passwordless sudo; else
# names the command. To be sourced by `prepare`.

has() { PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null; } # Debian: not in users' PATH
other_blas() { any_of '/usr/lib/*/blis-pthread/libblas.so.3'; } # ATLAS's package is empty from Debian 13 on
has_virtual_machine() { [[ $(uname -m) != x86_64 ]] || { has qemu-system-x86_64 && has cpio; }; }
slurm() { has slurmctld && has slurmd && has salloc && has munged && has ip; }
both_mpi() { has mpicxx.openmpi && has mpirun.openmpi && has mpicxx.mpich && has mpiexec.mpich; }
has_sanitizers() { has clang++-16 && any_of '/usr/lib/llvm-16/lib/clang/16/lib/linux/libclang_rt.msan*'; }
has_sshd() { has ssh && has sshd; }
has_dicom_programs() { has dcmdump && has dciodvfy && has dcentvfy; }
has_man_page_checkers() { has groff && has mandoc; }
has_shells() { has fish && has zsh; }
any_of() { compgen -G "$1" >/dev/null; }
has_headers() { [[ -e $(ask_python 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h ]]; }

packages_for_run() {
    local own
    own=$(ask_python 'import sys; print("python%d.%d" % sys.version_info[:2])')
    need "g++" "a C++20 compiler" has ${CXX:-c++}
    need "$own-dev" "Python's headers" has_headers
    need "$own-venv" "Python's venv" ask_python 'import ensurepip, venv'
    wish "libhwloc15" "reading caches and NUMA nodes through hwloc" any_of '/usr/lib/*/libhwloc.so.15'
    wish "fio" "storage" has fio
}
packages_for_test() { :; }
packages_for_services() {
    wish "chromium" "tests of the report in a browser" has chromium
    wish "fonts-dejavu-core" "text in the browser's pictures" any_of '/usr/share/fonts/*/dejavu*'
    wish "nginx-light" "tests of the server behind nginx" has nginx
    wish "postgresql" "tests of the store on a server" any_of '/usr/lib/postgresql/*/bin/postgres'
    wish "libopenblas0-pthread libblis4-pthread libatlas3-base libblas3 liblapack3" \
        "tests of LINPACK with these libraries" other_blas
    wish "libfftw3-double3" "tests of the Fourier transform with FFTW" \
        any_of '/usr/lib/*/libfftw3.so.3'
    wish "qemu-system-x86 cpio" "tests on several memory nodes" has_virtual_machine
    wish "openmpi-bin libopenmpi-dev mpich libmpich-dev" "tests of MPI with both libraries" both_mpi
    wish "slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge iproute2" \
        "tests of a cluster with Slurm" slurm
    wish "valgrind" "tests of constant time up to AVX2" has valgrind
    wish "clang-16 libclang-rt-16-dev" "tests of constant time above AVX2, and fuzzing" \
        has_sanitizers
    wish "abigail-tools" "the comparison with the last release's binary interface" has abidiff
    wish "openssl libengine-gost-openssl" "tests against OpenSSL's GOST engine" openssl engine gost
    wish "dcmtk dicom3tools" "tests of DICOM files with other programs" has_dicom_programs
    wish "openssh-server openssh-client" "tests of sampling another machine over ssh" has_sshd
    wish "curl" "tests of the API's examples" has curl
    wish "pkg-config" "tests of the installed libraries" has pkg-config
    wish "sysbench" "the test of an example of programs of one's own" has sysbench
    wish "procps" "the test of memory against free" has free
    wish "groff-base mandoc" "tests of the manual pages" has_man_page_checkers
    wish "fish zsh" "tests of completion" has_shells
    wish "systemd" "the test of the service's file" has systemd-analyze
    wish "qemu-user" "tests of other architectures" has qemu-aarch64
    wish "g++-aarch64-linux-gnu" "the build for AArch64" has aarch64-linux-gnu-g++
    wish "g++-riscv64-linux-gnu" "the build for RISC-V" has riscv64-linux-gnu-g++
}
packages_for_lint() { :; }
packages_for_build() { :; }
packages_for_site() { :; }
packages_for_peers() {
    wish "libbenchmark-dev" "the comparison with Google Benchmark" pkg-config --exists benchmark
    wish "openmpi-bin libopenmpi-dev mpich libmpich-dev" "the comparison with plain MPI loops" both_mpi
    wish "likwid" "the comparison with likwid-bench" has likwid-bench
    wish "linux-perf" "the comparison with perf bench" has perf
    wish "openssl libengine-gost-openssl" "the comparison with OpenSSL's GOST engine" openssl engine gost
    wish "libssl-dev libgcrypt20-dev pkg-config" "the comparison with OpenSSL and libgcrypt" \
        pkg-config --exists libcrypto libgcrypt
}

# Each appends what is missing to its list, as "packages|what for".
need() { "${@:3}" >/dev/null 2>&1 || needed+=("$1|$2"); }
wish() { "${@:3}" >/dev/null 2>&1 || wished+=("$1|$2"); }

look_for_packages() {
    local purpose
    needed=() wished=()
    for purpose in "$@"; do
        "packages_for_$purpose"
    done
}

install_packages() {
    look_for_packages "$@"
    ((${#needed[@]} + ${#wished[@]})) || return 0
    if has apt-get && may_be_root; then
        apt_install "${needed[@]}" "${wished[@]}"
        look_for_packages "$@"
    fi
    ((!${#wished[@]})) || say "$(sentence "${wished[@]}"); stend works without them, and skips tests that need them."
    ((!${#needed[@]})) || stop "$(sentence "${needed[@]}"); stend can't be built without them."
    [[ ${CI:-} != true ]] || ((!${#wished[@]})) || stop "With CI=true every package above must be installed."
}

# "missing: a C++20 compiler, Python's headers (`sudo apt-get install g++ python3.11-dev`)"
sentence() {
    local what
    what=$(printf '%s, ' "${@#*|}")
    printf 'missing: %s (`sudo apt-get install %s`)' "${what%, }" "$(echo "${@%%|*}")"
}

may_be_root() { ((EUID == 0)) || sudo -n true 2>/dev/null; }

# All at once; if that fails, again with fresh lists; if that fails, one by one, so that a package
# that this release lacks keeps no other away.
apt_install() {
    local packages entry said
    read -ra packages <<<"${*%%|*}"
    say "installing ${packages[*]} through apt"
    apt_get install "${packages[@]}" && return
    apt_get update && apt_get install "${packages[@]}" && return
    for entry in "${packages[@]}"; do
        apt_get install "$entry" || say "apt could not install $entry: ${said##*E: }"
    done
}

# What apt said is kept in `said`.
apt_get() {
    local root=() yes=()
    ((EUID == 0)) || root=(sudo -n)
    [[ $1 != install ]] || yes=(-y --no-install-recommends)
    said=$("${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -o DPkg::Lock::Timeout=600 "$1" "${yes[@]}" "${@:2}" </dev/null 2>&1)
}
