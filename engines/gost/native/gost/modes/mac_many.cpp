// OMAC of many messages at once. Up to 64 of them are under way together, each a lane of the
// engine's chains; when one is done the next message takes its place, so that the chains stay
// many while there are messages, whatever their lengths.
#include <algorithm>
#include <cstring>

#include "gost/modes/bytes.h"
#include "gost/modes/clean.h"
#include "gost/modes/mac.h"

namespace stend::gost {
namespace {

constexpr std::size_t most_lanes = 64;

// A message under way. Its chain has two parts: all blocks but the last, and the last.
struct Message {
    enum class Part : std::uint8_t { blocks, last } part;
    std::size_t index;
    std::size_t left;  // blocks of this part
    Bytes rest;        // of the message
    std::size_t rest_bytes;
    std::uint8_t state[largest_block];
    std::uint8_t block[largest_block];
};

struct Memory {
    Message messages[most_lanes];
};

class Many {
public:
    Many(const stend_gost_key* const* keys, const void* const* messages, const std::size_t* sizes,
         std::size_t count, Out tags, std::size_t tag_bytes)
        : keys_(keys),
          messages_(messages),
          sizes_(sizes),
          count_(count),
          tags_(tags),
          tag_bytes_(tag_bytes),
          n_(made(keys[0])->block()),
          engine_(*made(keys[0])->engine) {}

    void run() {
        while (begin_more(), under_way_) {
            advance();
            for (std::size_t i = under_way_; i-- > 0;)
                if (memory_.value.messages[i].left == 0) next_part(i);
        }
    }

private:
    void begin_more() {
        while (under_way_ < most_lanes && begun_ < count_) {
            Message& message = memory_.value.messages[under_way_++];
            message.index = begun_;
            message.rest = static_cast<Bytes>(messages_[begun_]);
            message.rest_bytes = sizes_[begun_];
            std::memset(message.state, 0, n_);
            message.part = Message::Part::blocks;
            message.left = message.rest_bytes ? blocks_in(message.rest_bytes - 1, n_) : 0;
            if (message.left == 0) begin_last(message);
            ++begun_;
        }
    }

    void begin_last(Message& message) {
        message.part = Message::Part::last;
        message.left = 1;
        if (message.rest_bytes) std::memcpy(message.block, message.rest, message.rest_bytes);
        close_block(message.block, message.rest_bytes, made(keys_[message.index])->subkeys, n_);
    }

    // Every chain by as many blocks as the shortest part has left.
    void advance() {
        Lane lanes[most_lanes];
        std::size_t blocks = ~std::size_t{0};
        for (std::size_t i = 0; i < under_way_; ++i)
            blocks = std::min(blocks, memory_.value.messages[i].left);
        for (std::size_t i = 0; i < under_way_; ++i) {
            Message& message = memory_.value.messages[i];
            lanes[i] = {&made(keys_[message.index])->schedule, message.state, input(message),
                        nullptr, n_};
        }
        engine_.chain(Feed::mac, {lanes, under_way_}, blocks);
        for (std::size_t i = 0; i < under_way_; ++i) {
            Message& message = memory_.value.messages[i];
            message.left -= blocks;
            if (message.part != Message::Part::blocks) continue;
            message.rest += blocks * n_;
            message.rest_bytes -= blocks * n_;
        }
    }

    Bytes input(const Message& message) const {
        return message.part == Message::Part::blocks ? message.rest : message.block;
    }

    void next_part(std::size_t i) {
        Message& message = memory_.value.messages[i];
        if (message.part == Message::Part::blocks) {
            begin_last(message);
        } else {
            std::memcpy(tags_ + message.index * tag_bytes_, message.state, tag_bytes_);
            message = memory_.value.messages[--under_way_];
        }
    }

    const stend_gost_key* const* keys_;
    const void* const* messages_;
    const std::size_t* sizes_;
    std::size_t count_;
    Out tags_;
    std::size_t tag_bytes_;
    std::size_t n_;
    const Engine& engine_;
    std::size_t begun_ = 0, under_way_ = 0;
    Wiped<Memory> memory_;
};

Status objection(const stend_gost_key* const* keys, std::size_t count, std::size_t tag_bytes) {
    const Key* const first = made(keys[0]);
    if (!first) return STEND_GOST_FINISHED;
    if (first->legacy()) return STEND_GOST_BAD_CIPHER;
    if (tag_bytes < 1 || tag_bytes > first->block()) return STEND_GOST_BAD_TAG_SIZE;
    for (std::size_t i = 1; i < count; ++i) {
        const Key* const key = made(keys[i]);
        if (!key) return STEND_GOST_FINISHED;
        if (key->cipher != first->cipher) return STEND_GOST_BAD_CIPHER;
        if (key->engine != first->engine) return STEND_GOST_BAD_VARIANT;
    }
    return STEND_GOST_OK;
}

}  // namespace
}  // namespace stend::gost

using namespace stend::gost;

stend_gost_status stend_gost_mac_many(const stend_gost_key* const* keys,
                                      const void* const* messages, const size_t* sizes,
                                      size_t count, void* tags, size_t tag_bytes) {
    if (count == 0) return STEND_GOST_OK;
    const Status status = objection(keys, count, tag_bytes);
    if (status == STEND_GOST_OK)
        cleanly(*made(keys[0])->engine,
                full_stack(*made(keys[0])) + sizeof(Many) + most_lanes * sizeof(Lane), [&] {
                    Many(keys, messages, sizes, count, static_cast<Out>(tags), tag_bytes).run();
                });
    return status;
}
