// A stranger's program: a network that is written as an ONNX file and read again gives the same
// output; a file that is none is a sentence.
#include <cstdio>
#include <stend/unet.hpp>
#include <vector>

int main() {
    namespace unet = stend::unet;
    const unet::Model model = unet::classic({.channels = 4, .depth = 2});
    const std::vector<float> image(16 * 16, 0.5F);
    std::vector<float> outputs[2] = {std::vector<float>(2 * 16 * 16),
                                     std::vector<float>(2 * 16 * 16)};
    unet::Network network(model, 16, 16);
    network.run(image.data(), 1, outputs[0].data());
    unet::Network again(unet::parse_onnx(unet::to_onnx(model)).model, 16, 16);
    again.run(image.data(), 1, outputs[1].data());
    std::printf("%f, by %s\n", outputs[0][0], network.variant().data());
    if (outputs[0] != outputs[1]) return 1;
    try {
        unet::read_onnx("/dev/null");
    } catch (const unet::BadModel& error) {
        std::printf("%s\n", error.what());
        return 0;
    }
    return 1;
}
