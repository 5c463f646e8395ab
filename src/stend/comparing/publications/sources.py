"""Sources by their short names in the data files: citation and date."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """Where figures were published."""

    cited: str
    """As people cite it."""
    date: str
    """ISO 8601, as far as it is known: `2021-06-17`, or `2015`."""


SOURCES = {
    "golenkov-2015": Source(
        "Golenkov E.A. et al., “The study of multiprocessor systems architecture features, "
        "affecting the efficiency of parallel programs”, Universum: Technical sciences, 2015, "
        "11(22)",
        "2015",
    ),
    "kuzminsky-2002": Source(
        "Kuzminsky M., “Measuring the performance of x86-compatible computers under Linux "
        "(Linpack n=100 and n=1000, STREAM)”, 2002",
        "2002",
    ),
    "habr-gost-on-elbrus-2021": Source(
        "“On the way to the top: Magma and Kuznyechik on Elbrus”, Habr, 17.06.2021", "2021-06-17"
    ),
    "habr-smart-tomo-engine-2020": Source(
        "“Developing and testing Smart Tomo Engine, a tomographic reconstruction program, on "
        "Elbrus platforms”, Habr, 08.10.2020",
        "2020-10-08",
    ),
    "habr-aerodisk-2020": Source(
        "“Elbrus vs Intel: comparing the performance of the storage systems Aerodisk Vostok and "
        "Engine”, Habr, 28.09.2020",
        "2020-09-28",
    ),
    "habr-aerodisk-2021": Source(
        "“Load testing of a storage system on Elbrus with the new Linux kernel 5.4”, Habr, "
        "31.05.2021",
        "2021-05-31",
    ),
}
