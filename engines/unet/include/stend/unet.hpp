// Inference of U-Nets on CPUs: all of it, one header a subject.
#pragma once

#include <stend/unet/model.hpp>
#include <stend/unet/network.hpp>
#include <stend/unet/onnx.hpp>
