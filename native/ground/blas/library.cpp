// dlopen, and calls by the Fortran convention: all by reference, the lengths of strings last.
// Integers are passed as 64-bit ones: on a little-endian machine a library with 32-bit integers
// reads their lower half. Only what it writes has to be read by its own width.
#include "blas/library.h"

#include <dlfcn.h>

#include <bit>
#include <cstdlib>

namespace stend::blas {
namespace {

static_assert(std::endian::native == std::endian::little);

using Integer = const std::int64_t*;
using Letter = const char*;
constexpr std::size_t length = 1;  // of a letter
constexpr std::int64_t one = 1;

std::string last_error() {
    const char* said = dlerror();
    return said ? said : "the system does not say why";
}

// RTLD_LOCAL, so that what it exports does not stand for another library's routines.
void* opened(const std::string& name, const std::string& file, int scope) {
    void* const handle = dlopen(file.c_str(), RTLD_NOW | scope);
    if (!handle) throw Unavailable(name + " can't be loaded: " + last_error() + ".");
    return handle;
}

// The file that a routine found through `handle` comes from: the file itself or what it needs.
std::string home_of(void* handle, const std::string& symbol) {
    Dl_info about{};
    void* const routine = dlsym(handle, symbol.c_str());
    return routine && dladdr(routine, &about) ? about.dli_fname : "";
}

// liblapack.so.3 needs whatever was loaded as libblas.so.3 first: by us, or before us by another
// library of this process. Without this look, one library's figure would stand under another's.
void require_its_own(const Description& d, void* blas, void* lapack) {
    const std::string symbol = d.prefix + "dgemm" + d.suffix;
    const std::string own = home_of(blas, symbol), used = home_of(lapack, symbol);
    if (own != used)
        throw Unavailable(d.name + " can't be measured: the LAPACK in " + d.lapack +
                          " would call the BLAS in " + used + " and not the one in " + own + ".");
}

// Before the library is loaded: one that has no function for it reads a variable then, or nothing.
void announce(unsigned threads, const Description& d) {
    if (!d.threads_variable.empty())
        setenv(d.threads_variable.c_str(), std::to_string(threads).c_str(), 1);
    else if (d.set_threads.empty() && threads != 1)
        throw std::invalid_argument(d.name +
                                    " has no threads of its own; ask for one thread, not " +
                                    std::to_string(threads) + ".");
}

}  // namespace

struct Library::Routines {
    void (*daxpy)(Integer n, const double* a, const double* x, Integer, double* y, Integer);
    void (*dscal)(Integer n, const double* a, double* x, Integer);
    void (*dswap)(Integer n, double* x, Integer, double* y, Integer);
    std::int64_t (*idamax)(Integer n, const double* x, Integer);
    void (*dger)(Integer m, Integer n, const double* alpha, const double* x, Integer,
                 const double* y, Integer, double* a, Integer lda);
    void (*dtrsm)(Letter side, Letter triangle, Letter transposed, Letter diagonal, Integer m,
                  Integer n, const double* alpha, const double* a, Integer lda, double* b,
                  Integer ldb, std::size_t, std::size_t, std::size_t, std::size_t);
    void (*dgemm)(Letter transposed_a, Letter transposed_b, Integer m, Integer n, Integer k,
                  const double* alpha, const double* a, Integer lda, const double* b, Integer ldb,
                  const double* beta, double* c, Integer ldc, std::size_t, std::size_t);
    void (*sgemm)(Letter transposed_a, Letter transposed_b, Integer m, Integer n, Integer k,
                  const float* alpha, const float* a, Integer lda, const float* b, Integer ldb,
                  const float* beta, float* c, Integer ldc, std::size_t, std::size_t);
    void (*dtrsv)(Letter triangle, Letter transposed, Letter diagonal, Integer n, const double* a,
                  Integer lda, double* x, Integer, std::size_t, std::size_t, std::size_t);
    void (*dgetrf)(Integer m, Integer n, double* a, Integer lda, std::int64_t* pivots,
                   std::int64_t* info);
    void (*dgetrs)(Letter transposed, Integer n, Integer columns, const double* a, Integer lda,
                   const std::int64_t* pivots, double* b, Integer ldb, std::int64_t* info,
                   std::size_t);
    void (*set_threads)(std::int64_t);
    void* version;
};

Library::Library(Description description, unsigned threads) : description_(std::move(description)) {
    const auto& d = description_;
    announce(threads, d);
    for (const std::string& file : d.before) opened(d.name, file, RTLD_GLOBAL);
    void* const blas = opened(d.name, d.blas, RTLD_LOCAL);
    void* const lapack = d.lapack == d.blas ? blas : opened(d.name, d.lapack, RTLD_LOCAL);
    require_its_own(d, blas, lapack);

    const auto plain = [&](void* file, const std::string& symbol, auto& routine) {
        void* const found = dlsym(file, symbol.c_str());
        if (!found)
            throw Unavailable(d.name + " lacks the routine " + symbol + ": " + last_error() + ".");
        routine = reinterpret_cast<std::remove_reference_t<decltype(routine)>>(found);
    };
    const auto find = [&](void* file, const std::string& routine, auto& pointer) {
        plain(file, d.prefix + routine + d.suffix, pointer);
    };
    const auto found = std::make_shared<Routines>();
    find(blas, "daxpy", found->daxpy);
    find(blas, "dscal", found->dscal);
    find(blas, "dswap", found->dswap);
    find(blas, "idamax", found->idamax);
    find(blas, "dger", found->dger);
    find(blas, "dtrsm", found->dtrsm);
    find(blas, "dgemm", found->dgemm);
    find(blas, "sgemm", found->sgemm);
    find(blas, "dtrsv", found->dtrsv);
    find(lapack, "dgetrf", found->dgetrf);
    find(lapack, "dgetrs", found->dgetrs);
    if (!d.set_threads.empty()) plain(blas, d.set_threads, found->set_threads);
    if (!d.version.empty()) plain(blas, d.version, found->version);
    if (found->set_threads) found->set_threads(threads);
    routines_ = found;
}

std::string Library::about() const {
    std::string said = version();
    for (char& letter : said)
        if (letter < ' ' || letter > '~') letter = '?';  // a record holds text
    const std::string& lapack = description_.lapack;
    if (lapack == description_.blas) return said + " (" + lapack + ")";
    return said + " (" + description_.blas + "; its LU is that of " + lapack + ")";
}

std::string Library::version() const {
    if (!routines_->version) return name();
    if (name() == "mkl") {  // MKL_Get_Version_String(char*, int)
        char line[200]{};
        reinterpret_cast<void (*)(char*, int)>(routines_->version)(line, sizeof line - 1);
        std::string text = line;
        return text.substr(0, text.find_last_not_of(' ') + 1);
    }
    const char* const line = reinterpret_cast<const char* (*)()>(routines_->version)();
    return line ? name() + " " + line : name();
}

void Library::daxpy(std::int64_t n, double a, const double* x, double* y) const noexcept {
    routines_->daxpy(&n, &a, x, &one, y, &one);
}

void Library::dscal(std::int64_t n, double a, double* x) const noexcept {
    routines_->dscal(&n, &a, x, &one);
}

void Library::dswap(std::int64_t n, double* x, std::int64_t step_x, double* y,
                    std::int64_t step_y) const noexcept {
    routines_->dswap(&n, x, &step_x, y, &step_y);
}

std::int64_t Library::idamax(std::int64_t n, const double* x) const noexcept {
    const std::int64_t found = routines_->idamax(&n, x, &one);
    return (description_.wide ? found : static_cast<std::int32_t>(found)) - 1;
}

void Library::dger_minus(std::int64_t m, std::int64_t n, const double* x, const double* y,
                         std::int64_t step_y, double* a, std::int64_t lda) const noexcept {
    constexpr double minus = -1;
    routines_->dger(&m, &n, &minus, x, &one, y, &step_y, a, &lda);
}

void Library::dtrsm_lower(std::int64_t m, std::int64_t n, const double* l, std::int64_t ldl,
                          double* b, std::int64_t ldb) const noexcept {
    constexpr double plus = 1;
    routines_->dtrsm("L", "L", "N", "U", &m, &n, &plus, l, &ldl, b, &ldb, length, length, length,
                     length);
}

void Library::dgemm_minus(std::int64_t m, std::int64_t n, std::int64_t k, const double* a,
                          std::int64_t lda, const double* b, std::int64_t ldb, double* c,
                          std::int64_t ldc) const noexcept {
    constexpr double minus = -1, plus = 1;
    routines_->dgemm("N", "N", &m, &n, &k, &minus, a, &lda, b, &ldb, &plus, c, &ldc, length,
                     length);
}

// By rows, a matrix is its transpose by columns, and (A·B)ᵀ = Bᵀ·Aᵀ.
void Library::sgemm_by_rows(std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                            std::int64_t lda, const float* b, std::int64_t ldb, float* c,
                            std::int64_t ldc, bool add) const noexcept {
    constexpr float plus = 1;
    const float before = add ? 1 : 0;
    routines_->sgemm("N", "N", &n, &m, &k, &plus, b, &ldb, a, &lda, &before, c, &ldc, length,
                     length);
}

void Library::dtrsv_lower(std::int64_t n, const double* a, std::int64_t lda,
                          double* x) const noexcept {
    routines_->dtrsv("L", "N", "U", &n, a, &lda, x, &one, length, length, length);
}

void Library::dtrsv_upper(std::int64_t n, const double* a, std::int64_t lda,
                          double* x) const noexcept {
    routines_->dtrsv("U", "N", "N", &n, a, &lda, x, &one, length, length, length);
}

bool Library::dgetrf(std::int64_t n, double* a, std::int64_t lda,
                     std::int64_t* pivots) const noexcept {
    std::int64_t info = 0;
    routines_->dgetrf(&n, &n, a, &lda, pivots, &info);
    return info == 0;
}

void Library::dgetrs(std::int64_t n, const double* a, std::int64_t lda, const std::int64_t* pivots,
                     double* b) const noexcept {
    std::int64_t info = 0;
    routines_->dgetrs("N", &n, &one, a, &lda, pivots, b, &n, &info, length);
}

}  // namespace stend::blas
