// _unet.Network: a model readied for images of one size; and what this machine runs.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <stdexcept>
#include <vector>

#include "isa/isa.h"
#include "sgemm.h"
#include "unet.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::unet {
namespace {

using stend::unet::Precision;
using stend::unet::Timing;

using In = nb::ndarray<const float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Out = nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

// Raises what Ctrl-C asked for; to be called without the interpreter's lock. Asks ten times a
// second at most: where other threads compute in Python, each time waits 5 ms for the lock.
class Signals {
public:
    void heed() {
        const Clock::time_point now = Clock::now();
        if (now - asked_ < std::chrono::milliseconds(100)) return;
        asked_ = now;
        const nb::gil_scoped_acquire locked;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point asked_ = Clock::now();
};

class Network {
public:
    Network(const Model& model, std::size_t height, std::size_t width, std::string_view precision,
            std::string_view variant, unsigned threads, const Sgemm* sgemm)
        : made_(model.model, height, width,
                {.precision = stend::unet::precision(precision),
                 .variant = variant,
                 .threads = threads,
                 .sgemm = sgemm ? sgemm->routine() : stend::unet::Sgemm{}}) {}

    void run(const In& images, const Out& outputs) {
        check(images, made_.input_channels());
        check(outputs, made_.output_channels());
        if (outputs.shape(0) != images.shape(0))
            throw std::invalid_argument("There are not as many outputs as images.");
        if (busy_)
            throw std::invalid_argument(
                "Another thread is using this network; give each thread one of its own.");
        const Use use(busy_);
        const nb::gil_scoped_release unlocked;
        Signals signals;
        made_.run(images.data(), images.shape(0), outputs.data(), [&] { signals.heed(); });
    }

    const stend::unet::Network& made() const { return made_; }

private:
    // Without the interpreter's lock another thread could run it as well.
    struct Use {
        bool& busy;
        explicit Use(bool& network) : busy(network) { busy = true; }
        ~Use() { busy = false; }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;
    };

    // stend_unet asks before with sentences for users; this is the wall behind which memory is
    // read and written.
    template <typename Array>
    void check(const Array& array, std::size_t channels) const {
        if (array.shape(1) != channels || array.shape(2) != made_.height() ||
            array.shape(3) != made_.width())
            throw std::invalid_argument("An array has other sides than the network's.");
    }

    bool busy_ = false;
    stend::unet::Network made_;
};

std::vector<std::string_view> precisions() {
    return {name(Precision::float32), name(Precision::bf16x3), name(Precision::bf16)};
}

}  // namespace

void bind_network(nb::module_& module) {
    nb::class_<Timing>(module, "Timing")
        .def_prop_ro("layers", [](const Timing& timing) { return text(timing.layers); })
        .def_ro("direct_flops", &Timing::direct_flops)
        .def_ro("flops", &Timing::flops)
        .def_ro("seconds", &Timing::seconds);
    nb::class_<Network>(module, "Network")
        .def(nb::init<const Model&, std::size_t, std::size_t, std::string_view, std::string_view,
                      unsigned, const Sgemm*>(),
             nb::call_guard<nb::gil_scoped_release>(), "model"_a, "height"_a, "width"_a,
             "precision"_a = "float32", "variant"_a = "", "threads"_a = 1,
             "sgemm"_a.none() = nb::none())
        .def("run", &Network::run, "images"_a.noconvert(), "outputs"_a.noconvert())
        .def_prop_ro("variant", [](const Network& network) { return network.made().variant(); })
        .def_prop_ro("bytes", [](const Network& network) { return network.made().bytes(); })
        .def("timings", [](const Network& network) { return network.made().timings(); });
    module.def("precisions", &precisions);
    module.def(
        "variants",
        [](std::string_view precision) {
            return stend::unet::variants(stend::unet::precision(precision));
        },
        "precision"_a);
    module.def("x86_64_v2", &isa::x86_64_v2);
}

}  // namespace stend::bindings::unet
