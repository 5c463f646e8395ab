// A model readied to run on images of one size. Comes in: a model, the size, how to compute; goes
// out: for each image, the model's output. All memory is taken and all weights are brought into
// their final form when the network is made; the first run makes its threads, which sleep between
// runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stend/unet/model.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stend::unet {

// In which numbers products are taken. Sums are float32 in all of them.
enum class Precision : std::uint8_t {
    float32,
    // Each float32 split in two bfloat16, three of the four products: 16 bits of precision.
    bf16x3,
    bf16,  // inputs and weights of each layer rounded to bfloat16: 8 bits of precision
};

// C = A·B, or C += A·B when `add`; matrices by rows: A is m by k with lda floats a row, B k by n, C
// m by n. What cblas_sgemm with CblasRowMajor computes. Called from several threads at once.
using Sgemm =
    std::function<void(std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t lda,
                       const float* b, std::size_t ldb, float* c, std::size_t ldc, bool add)>;

// Called between two steps of a run, on the caller's thread; what it throws ends the run.
using Between = std::function<void()>;

struct Options {
    Precision precision = Precision::float32;
    std::string_view variant = {};  // empty: the machine's best
    unsigned threads = 1;
    Sgemm sgemm = {};  // what the variant `blas` multiplies with; the others don't need it
};

// What was computed as one, and how long it took in the last run.
struct Timing {
    std::string layers;   // their names, with " + " between those computed together
    double direct_flops;  // what the literature counts for it
    double flops;         // what the variant really multiplies and adds in its matrix products
    double seconds;
};

class Network {
public:
    // Throws std::invalid_argument, with a sentence, for a model that check() refuses, sides of 0
    // or above 32,768, a variant that there isn't or that can't run here, 0 threads, or `blas`
    // without sgemm; OutOfMemory (a std::bad_alloc with a sentence) when memory won't do.
    Network(const Model& model, std::size_t height, std::size_t width, const Options& options = {});
    Network(Network&&) noexcept;
    Network& operator=(Network&&) noexcept;
    ~Network();

    // Images one after another, each [channels][height][width]; on the caller's thread and
    // threads() - 1 others. Sides shorter than computed_side() are computed with the last row and
    // column repeated, and cut again. The same input gives the same bits, on any number of
    // threads. Not to be called from two threads at once. What `between` throws leaves the network
    // ready for the next run, and `outputs` as far as they were made. In a child of fork() threads
    // are made anew. Throws std::invalid_argument for an image with numbers that aren't finite,
    // std::system_error when the system makes no more threads.
    void run(const float* images, std::size_t count, float* outputs, const Between& between = {});

    std::size_t input_channels() const;
    std::size_t output_channels() const;
    std::size_t height() const;
    std::size_t width() const;
    std::string_view variant() const;
    unsigned threads() const;
    std::size_t bytes() const;  // all that is kept: weights, tensors, work space

    // In the order they run; of the last image.
    std::vector<Timing> timings() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Names of what this machine runs, slowest first; the last one is the default.
std::vector<std::string_view> variants(Precision precision);

// "float32", "bf16x3", "bf16"; back again throws std::invalid_argument for another name.
std::string_view name(Precision precision);
Precision precision(std::string_view name);

// How far outputs may be from the exact ones for this model: the root mean square of their errors,
// of that of the outputs; before a sigmoid or softmax, where the last layer has one. Of any variant
// where none is named. engines/unet/native/unet/README.md derives it, and says what it is worth.
// Throws std::invalid_argument for a model that check() refuses and a variant that there isn't.
double tolerance(const Model& model, Precision precision, std::string_view variant = {});

}  // namespace stend::unet
