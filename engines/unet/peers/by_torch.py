"""PyTorch as what computes the network (stend.benchmarks.families.unet.peer.Library)."""

from collections.abc import Iterator, Sequence

import torch
from classic import DEPTH, LEVELS, layers
from reference import OUTPUTS
from torch import Tensor, nn
from torch._inductor import config
from torch.nn import functional

from stend.benchmarks.families.unet.peer import Array

TYPES = {"float32": torch.float32, "bf16": torch.bfloat16}


def pair(before: int, channels: int) -> nn.Sequential:
    first = nn.Conv2d(before, channels, 3, padding=1)
    second = nn.Conv2d(channels, channels, 3, padding=1)
    return nn.Sequential(first, nn.ReLU(), second, nn.ReLU())


class Network(nn.Module):
    """The classic one, with its weights."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.ModuleList(map(pair, [1, *LEVELS], LEVELS))
        self.up = nn.ModuleList()
        for channels in reversed(LEVELS[:DEPTH]):
            enlarged = nn.ConvTranspose2d(2 * channels, channels, 2, stride=2)
            self.up.append(nn.ModuleList([enlarged, pair(2 * channels, channels)]))
        self.last = nn.Conv2d(LEVELS[0], OUTPUTS, 1)
        for layer, (weights, bias) in zip(self._layers(), layers(), strict=True):
            layer.weight = nn.Parameter(torch.from_numpy(weights))
            layer.bias = nn.Parameter(torch.from_numpy(bias))

    def _layers(self) -> Iterator[nn.Module]:
        """Those that have weights; all were made in the order they run."""
        return (each for each in self.modules() if hasattr(each, "weight"))

    def forward(self, x: Tensor) -> Tensor:
        beside = []
        for level, both in enumerate(self.down):
            if level:
                beside.append(x)
                x = functional.max_pool2d(x, 2)
            x = both(x)
        for enlarge, both in self.up:
            x = both(torch.cat([beside.pop(), enlarge(x)], dim=1))
        return self.last(x)


class Torch:
    """Compiled with the weights as constants; oneDNN convolves, channels last."""

    name = "pytorch"

    def __init__(self, precision: str) -> None:
        self._type = TYPES[precision]

    @property
    def about(self) -> str:
        return f"PyTorch {torch.__version__}, compiled, {self._type}"

    def ready(self, images: Sequence[Array], outputs: Sequence[Array], threads: int) -> None:
        torch.set_num_threads(threads)
        config.freezing = True
        network = Network().eval().to(self._type, memory_format=torch.channels_last)
        self._network = torch.compile(network)
        self._images = [torch.from_numpy(image).to(self._type) for image in images]
        self._outputs = [torch.from_numpy(output) for output in outputs]

    @torch.inference_mode()
    def take(self, which: int) -> None:
        self._outputs[which].copy_(self._network(self._images[which]))
