// _native.sampler: the timed loop, its columns as numpy arrays, and its own kernels.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include "bindings.h"
#include "sampler/kernels.h"
#include "sampler/sampler.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {
namespace {

// Calls a Python function. The interpreter's lock is taken once a batch, so a batch
// spreads its cost over its calls. With something expected, the last result of every
// batch has to equal it.
class Call final : public Kernel {
public:
    Call(nb::callable function, nb::object expected)
        : function_(std::move(function)), expected_(std::move(expected)) {}

    void repeat(std::uint64_t times) override {
        const nb::gil_scoped_acquire locked;
        asked_ += times;
        for (; times > 0; --times) {
            result_ = nb::steal(PyObject_CallNoArgs(function_.ptr()));
            if (!result_.is_valid()) throw nb::python_error();
            ++returned_;
        }
    }

    bool check() override { return returned_ == asked_ && as_expected(); }

    Proof prove() override {
        const nb::gil_scoped_acquire locked;
        if (!as_expected()) {
            return {false,
                    "the function returned " + words(result_) + " instead of " + words(expected_)};
        }
        return {returned_ == asked_, "the function returned from " + std::to_string(returned_) +
                                         " of " + std::to_string(asked_) + " calls"};
    }

    std::string_view variant() const override { return "python"; }

private:
    bool as_expected() const {
        const nb::gil_scoped_acquire locked;
        if (!expected_.is_valid() || !result_.is_valid()) return true;
        const int equal = PyObject_RichCompareBool(result_.ptr(), expected_.ptr(), Py_EQ);
        if (equal < 0) throw nb::python_error();
        return equal == 1;
    }

    static std::string words(nb::handle value) { return nb::repr(value).c_str(); }

    nb::callable function_;
    nb::object expected_, result_;
    std::uint64_t asked_ = 0, returned_ = 0;
};

// A kernel written in Python (native.sampler.Work says what it owes): its work is done by calling
// it, or by the loop in C++ that it has made while it was prepared; and it is told how many
// executions were asked for, so that it can tell when one is missing.
class Work final : public Kernel {
public:
    explicit Work(nb::object self)
        : self_(std::move(self)), variant_(nb::cast<std::string>(self_.attr("variant"))) {}

    void prepare() override {
        const nb::gil_scoped_acquire locked;
        self_.attr("prepare")();
        loop_ = self_.attr("loop");
        if (!loop_.is_none()) native_ = nb::cast<Loop*>(loop_);
    }

    void repeat(std::uint64_t times) override {
        asked_ += times;
        if (native_) return native_->repeat(times);
        const nb::gil_scoped_acquire locked;
        for (; times > 0; --times)
            if (!nb::steal(PyObject_CallNoArgs(self_.ptr())).is_valid()) throw nb::python_error();
    }

    bool check() override {
        const nb::gil_scoped_acquire locked;
        return nb::cast<bool>(self_.attr("check")(asked_));
    }

    Proof prove() override {
        const nb::gil_scoped_acquire locked;
        const auto [right, said] =
            nb::cast<std::pair<bool, std::string>>(self_.attr("prove")(asked_));
        return {right, said};
    }

    std::string_view variant() const override { return variant_; }

    std::string about() const override {
        const nb::gil_scoped_acquire locked;
        return nb::cast<std::string>(self_.attr("about"));
    }

private:
    nb::object self_, loop_;
    const Loop* native_ = nullptr;
    std::string variant_;
    std::uint64_t asked_ = 0;
};

template <typename Value>
using Column = nb::ndarray<nb::numpy, const Value, nb::ndim<1>>;

// A view that keeps its Repetitions alive.
template <auto column>
auto view(nb::handle_t<Repetitions> self) {
    const auto& values = nb::cast<const Repetitions&>(self).*column;
    using Value = std::remove_cvref_t<decltype(values[0])>;
    return Column<Value>(values.data(), {values.size()}, self);
}

nb::object observed(nb::handle_t<Repetitions> self) {
    if (!nb::cast<const Repetitions&>(self).observed) return nb::none();
    return nb::cast(view<&Repetitions::values>(self));
}

// Views by name; each keeps its Repetitions alive.
nb::dict also(nb::handle_t<Repetitions> self) {
    nb::dict columns;
    for (const Also& column : nb::cast<const Repetitions&>(self).also)
        columns[column.name.c_str()] =
            nb::cast(Column<double>(column.values.data(), {column.values.size()}, self));
    return columns;
}

void look_for_signals() {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

Repetitions collect(Sampler& sampler, std::uint64_t batch, std::uint64_t count, double seconds) {
    const nb::gil_scoped_release unlocked;
    return sampler.collect(batch, count, seconds, look_for_signals);
}

}  // namespace

void bind_sampler(nb::module_ module) {
    nb::class_<Repetitions>(module, "Repetitions")
        .def_prop_ro("started", view<&Repetitions::started>)
        .def_prop_ro("ticks", view<&Repetitions::ticks>)
        .def_prop_ro("core", view<&Repetitions::core>)
        .def_prop_ro("preempted", view<&Repetitions::preempted>)
        .def_prop_ro("values", observed)
        .def_prop_ro("also", also)
        .def_ro("right", &Repetitions::right);

    nb::class_<Sampler>(module, "Sampler")
        .def(nb::init<Kernel&, std::string_view>(), "kernel"_a, "clock"_a, nb::keep_alive<1, 2>())
        .def_prop_ro("origin", &Sampler::origin)
        .def("collect", collect, "batch"_a, "count"_a, "seconds"_a);

    nb::class_<Loop>(module, "Loop")
        .def(
            "repeat", [](const Loop& loop, std::uint64_t times) { loop.repeat(times); }, "times"_a);

    module.def("empty", &sampler::empty);
    module.def("spin", &sampler::spin);
    using Calling = std::unique_ptr<Kernel>;
    module.def(
        "work", [](nb::object work) -> Calling { return std::make_unique<Work>(std::move(work)); },
        "work"_a);
    module.def(
        "call",
        [](nb::callable function) -> Calling {
            return std::make_unique<Call>(std::move(function), nb::object());
        },
        "function"_a);
    module.def(
        "call",
        [](nb::callable function, nb::object expected) -> Calling {
            return std::make_unique<Call>(std::move(function), std::move(expected));
        },
        "function"_a, "expected"_a.none());
}

}  // namespace stend::bindings
