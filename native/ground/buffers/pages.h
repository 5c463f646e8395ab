// Pages from the system: pages.cpp for Linux and macOS, pages_windows.cpp.
#pragma once

#include <cstddef>
#include <string>

namespace stend {

std::size_t page_bytes();
std::size_t physical_memory();

// Zeroed pages, from a border of `alignment` on, which is a multiple of a page; null when the
// system refuses. Both sizes are whole pages.
std::byte* map_pages(std::size_t bytes, std::size_t alignment);

// Why map_pages was refused just now, and what to do: ends a sentence.
std::string pages_refused();

void unmap_pages(std::byte* begin, std::size_t bytes);

// Both as Mapping says; before the first, map_pages has asked for huge pages.
bool gather_huge_pages(std::byte* begin, std::size_t bytes);
bool forbid_huge_pages(std::byte* begin, std::size_t bytes);

}  // namespace stend
