// Without recursion, for a chain may be as long as the file.
#include "unet/onnx/order.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <stend/unet/onnx.hpp>
#include <utility>

#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

constexpr auto nobody = static_cast<std::size_t>(-1);

class Order {
public:
    Order(const Graph& graph, std::string_view input,
          const std::map<std::string_view, Piece>& initializers)
        : nodes_(graph.nodes) {
        makers_[input] = nobody;
        for (const auto& [name, tensor] : initializers) makers_[name] = nobody;
        for (std::size_t node = 0; node < nodes_.size(); ++node)
            for (const std::string_view output : nodes_[node].outputs)
                if (!output.empty() && !makers_.emplace(output, node).second)
                    throw BadModel(described(nodes_[node]) + " whose output " + quoted(output) +
                                   " has the name of another value.");
    }

    void need(std::string_view output) {
        pending_.assign(nodes_.size(), nobody);
        std::vector<std::size_t> wanted;
        if (const std::size_t node = maker(output, nullptr); node != nobody) wanted.push_back(node);
        while (!wanted.empty()) {
            const std::size_t node = wanted.back();
            wanted.pop_back();
            if (pending_[node] != nobody) continue;
            pending_[node] = 0;
            for (const std::string_view name : nodes_[node].inputs)
                if (const std::size_t before = maker(name, &nodes_[node]); before != nobody) {
                    ++pending_[node];
                    users_.emplace_back(before, node);
                    wanted.push_back(before);
                }
        }
    }

    // Of the nodes that are ready, always the one that comes first in the file.
    std::vector<const Node*> sorted() {
        std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
        std::size_t needed = 0;
        for (std::size_t node = 0; node < nodes_.size(); ++node) {
            if (pending_[node] != nobody) ++needed;
            if (pending_[node] == 0) ready.push(node);
        }
        std::ranges::sort(users_);
        std::vector<const Node*> order;
        while (!ready.empty()) {
            const std::size_t node = ready.top();
            ready.pop();
            order.push_back(&nodes_[node]);
            for (auto user = std::ranges::lower_bound(users_, std::pair{node, std::size_t{0}});
                 user != users_.end() && user->first == node; ++user)
                if (--pending_[user->second] == 0) ready.push(user->second);
        }
        if (order.size() < needed) refuse_cycle();
        return order;
    }

private:
    // The node that makes that value; nobody for the input and what the file holds.
    std::size_t maker(std::string_view name, const Node* user) const {
        if (name.empty()) return nobody;
        const auto found = makers_.find(name);
        if (found == makers_.end())
            throw BadModel(
                (user == nullptr ? "The graph's output" : described(*user) + " whose input") + " " +
                quoted(name) + " is made by nothing.");
        return found->second;
    }

    // From a node that waits, back to one it waits for, again and again: one comes that came
    // before.
    [[noreturn]] void refuse_cycle() const {
        std::size_t node = 0;
        while (pending_[node] == 0 || pending_[node] == nobody) ++node;
        for (std::size_t steps = 0; steps < nodes_.size(); ++steps) node = waits_for(node);
        throw BadModel(described(nodes_[node]) + " that needs its own output, through others.");
    }

    std::size_t waits_for(std::size_t node) const {
        for (const std::string_view name : nodes_[node].inputs)
            if (const std::size_t before = maker(name, nullptr);
                before != nobody && pending_[before] != 0)
                return before;
        return node;
    }

    const std::vector<Node>& nodes_;
    std::map<std::string_view, std::size_t> makers_;  // of values
    std::vector<std::pair<std::size_t, std::size_t>>
        users_;                         // a node, and one that uses its output
    std::vector<std::size_t> pending_;  // inputs still to be made; nobody: not needed
};

}  // namespace

std::vector<const Node*> ordered(const Graph& graph, std::string_view input,
                                 std::string_view output,
                                 const std::map<std::string_view, Piece>& initializers) {
    Order order(graph, input, initializers);
    order.need(output);
    return order.sorted();
}

}  // namespace stend::unet::onnx
