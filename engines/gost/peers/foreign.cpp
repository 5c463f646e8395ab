// A peer in another language: a program that reads a line and answers with one, and that times
// itself. It is started with the key and the initialisation vector in hexadecimal digits behind the
// command in PEER_COMMAND, and understands
//     message CIPHER MODE DIRECTION HEX       the message, or a MAC's tag, in hexadecimal digits
//     time CIPHER MODE DIRECTION SIZE TIMES   how many seconds so many messages took
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "ways.h"

namespace {

std::string hex(const std::uint8_t* bytes, std::size_t size) {
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * size);
    for (std::size_t i = 0; i < size; ++i)
        text.append({digits[bytes[i] >> 4], digits[bytes[i] & 15]});
    return text;
}

unsigned digit(char c) {
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
}

class Program {
public:
    Program() {
        const char* const command = std::getenv("PEER_COMMAND");
        const std::string line = std::string("exec ") + (command ? command : "false") + " " +
                                 hex(the_key, sizeof the_key) + " " + hex(the_iv, sizeof the_iv);
        int to[2], from[2];
        if (pipe(to) || pipe(from)) std::exit(1);
        if (fork() == 0) {
            dup2(to[0], 0), dup2(from[1], 1);
            for (const int end : {to[0], to[1], from[0], from[1]}) close(end);
            execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
            _exit(127);
        }
        close(to[0]), close(from[1]);
        to_ = fdopen(to[1], "w"), from_ = fdopen(from[0], "r");
    }

    // Ends the program when the peer has ended.
    std::string ask(const std::string& question) {
        std::fprintf(to_, "%s\n", question.c_str());
        std::fflush(to_);
        std::string answer;
        for (int c; (c = std::fgetc(from_)) != '\n'; answer += static_cast<char>(c))
            if (c == EOF) {
                std::fprintf(stderr, "The peer ended when it was asked: %.60s\n", question.c_str());
                std::exit(1);
            }
        return answer;
    }

private:
    std::FILE *to_, *from_;
};

Program& program() {
    static Program started;
    return started;
}

class Foreign : public Way {
public:
    explicit Foreign(const What& what)
        : words_(what.cipher + " " + what.mode + (what.decrypt ? " decrypt " : " encrypt ")),
          expected_(what.mode == "mac" ? what.tag() : 0) {}

    bool message(const std::uint8_t* in, std::uint8_t* out, std::size_t size) override {
        const std::string answer = program().ask("message " + words_ + hex(in, size));
        const std::size_t made = expected_ ? expected_ : size;
        if (answer.size() != 2 * made) return false;
        for (std::size_t i = 0; i < made; ++i)
            out[i] =
                static_cast<std::uint8_t>(digit(answer[2 * i]) << 4 | digit(answer[2 * i + 1]));
        return true;
    }

    double seconds(const std::uint8_t*, std::uint8_t*, std::size_t size, int times) override {
        return std::strtod(
            program()
                .ask("time " + words_ + std::to_string(size) + " " + std::to_string(times))
                .c_str(),
            nullptr);
    }

private:
    std::string words_;
    std::size_t expected_;  // bytes of a tag; 0: as many as went in
};

}  // namespace

std::unique_ptr<Way> foreign(const What& what) {
    return std::make_unique<Foreign>(what);
}
