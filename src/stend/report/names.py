"""Names of cases → the same names without what all cases of their benchmark share."""

from collections.abc import Sequence


def short(names: Sequence[str]) -> list[str]:
    """`stream.add threads=1 elements=1000 [plain]` → `stream.add threads=1` beside its like.

    The names themselves where the short ones would not tell two apart.
    """
    words = {name: name.split(" ") for name in names}
    alike: dict[str, set[str]] = {}
    for benchmark, *rest in words.values():
        alike[benchmark] = alike.get(benchmark, set(rest)) & set(rest)
    alone = [w[0] for w in words.values()]
    shared = {b: common if alone.count(b) > 1 else set() for b, common in alike.items()}
    kept = [
        " ".join([words[n][0], *(w for w in words[n][1:] if w not in shared[words[n][0]])])
        for n in names
    ]
    return kept if len(set(kept)) == len(set(names)) else list(names)
