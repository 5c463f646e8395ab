// The phantoms that have names; the head phantoms' tables as they are published, angles in degrees.
#include "tomo/phantom/named.h"

#include <array>
#include <limits>
#include <numbers>
#include <string>

#include "tomo/checks.h"

namespace stend::tomo {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double endless = std::numeric_limits<double>::infinity();

// Shepp and Logan 1974, table I; the values of Kak and Slaney 1988, table 3.1.
std::vector<Ellipsoid> flat_head() {
    return {{2, .69, .92, endless, 0, 0, 0, 0, 0, 0},
            {-.98, .6624, .874, endless, 0, -.0184, 0, 0, 0, 0},
            {-.02, .11, .31, endless, .22, 0, 0, -18 * degree, 0, 0},
            {-.02, .16, .41, endless, -.22, 0, 0, 18 * degree, 0, 0},
            {.01, .21, .25, endless, 0, .35, 0, 0, 0, 0},
            {.01, .046, .046, endless, 0, .1, 0, 0, 0, 0},
            {.01, .046, .046, endless, 0, -.1, 0, 0, 0, 0},
            {.01, .046, .023, endless, -.08, -.605, 0, 0, 0, 0},
            {.01, .023, .023, endless, 0, -.606, 0, 0, 0, 0},
            {.01, .023, .046, endless, .06, -.605, 0, 0, 0, 0}};
}

// Toft 1996, pages 199 and 200: the values alone are his.
std::vector<Ellipsoid> in_tofts_contrast(std::vector<Ellipsoid> head) {
    constexpr std::array values{1., -.8, -.2, -.2, .1, .1, .1, .1, .1, .1};
    for (std::size_t i = 0; i < values.size(); ++i) head[i].value = values[i];
    return head;
}

// Kak and Slaney 1988, table 3.2.
std::vector<Ellipsoid> head() {
    return {{2, .69, .92, .9, 0, 0, 0, 0, 0, 0},
            {-.98, .6624, .874, .88, 0, 0, 0, 0, 0, 0},
            {-.02, .41, .16, .21, -.22, 0, -.25, 108 * degree, 0, 0},
            {-.02, .31, .11, .22, .22, 0, -.25, 72 * degree, 0, 0},
            {.02, .21, .25, .5, 0, .35, -.25, 0, 0, 0},
            {.02, .046, .046, .046, 0, .1, -.25, 0, 0, 0},
            {.01, .046, .023, .02, -.08, -.65, -.25, 0, 0, 0},
            {.01, .046, .023, .02, .06, -.65, -.25, 90 * degree, 0, 0},
            {.02, .056, .04, .1, .06, -.105, .625, 90 * degree, 0, 0},
            {-.02, .056, .056, .1, 0, .1, .625, 0, 0, 0}};
}

// Schabel's phantom3d.m, "modified shepp-logan". Its program turns the middles of the third and
// fourth with their angles; here an ellipsoid is turned about its own middle, as the table's names
// have it.
std::vector<Ellipsoid> schabels_head() {
    return {{1, .69, .92, .81, 0, 0, 0, 0, 0, 0},
            {-.8, .6624, .874, .78, 0, -.0184, 0, 0, 0, 0},
            {-.2, .11, .31, .22, .22, 0, 0, -18 * degree, 0, 10 * degree},
            {-.2, .16, .41, .28, -.22, 0, 0, 18 * degree, 0, 10 * degree},
            {.1, .21, .25, .41, 0, .35, -.15, 0, 0, 0},
            {.1, .046, .046, .05, 0, .1, .25, 0, 0, 0},
            {.1, .046, .046, .05, 0, -.1, .25, 0, 0, 0},
            {.1, .046, .023, .05, -.08, -.605, 0, 0, 0, 0},
            {.1, .023, .023, .02, 0, -.606, 0, 0, 0, 0},
            {.1, .023, .046, .02, .06, -.605, 0, 0, 0, 0}};
}

struct Named {
    std::string_view name;
    std::vector<Ellipsoid> (*make)();
};

constexpr Named named[] = {
    {"shepp-logan", flat_head},
    {"modified-shepp-logan", [] { return in_tofts_contrast(flat_head()); }},
    {"shepp-logan-3d", head},
    {"modified-shepp-logan-3d", schabels_head},
    {"may-beetle", may_beetle},
};

}  // namespace

std::vector<std::string_view> phantoms() {
    std::vector<std::string_view> names;
    for (const Named& one : named) names.push_back(one.name);
    return names;
}

std::vector<Ellipsoid> phantom(std::string_view name) {
    std::string names;
    for (const Named& one : named) {
        if (one.name == name) return one.make();
        names += (names.empty() ? "" : ", ") + std::string(one.name);
    }
    refuse("There is no phantom \"" + std::string(name) + "\"; there are " + names + ".");
}

}  // namespace stend::tomo
