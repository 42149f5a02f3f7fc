#include "device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "diagnosis.h"
#include "warpboard_emulation.h"

namespace warpboard::emulation {
namespace {

// An array begins at a multiple of this (float4 and its kin need 16), so up to 15 bytes between its
// end and the guard page hold a canary instead.
constexpr std::size_t alignment = 16;
constexpr unsigned char canary = 0xa5;
constexpr unsigned char poison = 0xff;

// How far from a buffer an address may be to be told relative to it.
constexpr std::uintptr_t neighbourhood = 1 << 20;

struct Array {
    std::size_t bytes;
    char* mapping;
    std::size_t mapping_bytes;
    cudaMemoryType type;
};

struct Region {
    std::size_t bytes;
    std::string name;
};

// Never destroyed: static destructors of a submission may still call cudaFree.
struct Memory {
    std::mutex mutex;
    std::map<std::uintptr_t, Array> arrays;  // by begin
    std::map<std::uintptr_t, Region> regions;
    std::size_t total = std::size_t{4} << 30;
    std::size_t used = 0;
};

Memory& memory() {
    static auto* const instance = new Memory;
    return *instance;
}

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

void check_canary(std::uintptr_t begin, const Array& array) {
    auto* end = reinterpret_cast<const unsigned char*>(begin) + array.bytes;
    auto* guard = reinterpret_cast<const unsigned char*>(array.mapping) + array.mapping_bytes -
                  page_bytes();
    for (auto* at = end; at < guard; ++at) {
        if (*at == canary) continue;
        fail("the submission wrote past the end of a device array that it allocated: byte %zu of %zu",
             static_cast<std::size_t>(at - reinterpret_cast<const unsigned char*>(begin)),
             array.bytes);
    }
}

// The last entry that begins at or before an address.
template <class Map>
typename Map::const_iterator entry_before(const Map& map, std::uintptr_t at) {
    auto entry = map.upper_bound(at);
    return entry == map.begin() ? map.end() : std::prev(entry);
}

// How far outside [begin, begin + bytes) an address is; 0 inside.
std::uintptr_t distance(std::uintptr_t at, std::uintptr_t begin, std::size_t bytes) {
    if (at < begin) return begin - at;
    return at < begin + bytes ? 0 : at - (begin + bytes) + 1;
}

}  // namespace

void* allocate_device(std::size_t bytes, cudaMemoryType type) {
    Memory& all = memory();
    std::lock_guard lock(all.mutex);
    if (bytes > all.total || all.used > all.total - bytes) return nullptr;
    std::size_t page = page_bytes();
    std::size_t body = (bytes + page - 1) / page * page;
    std::size_t mapping_bytes = body + 2 * page;
    void* area = mmap(nullptr, mapping_bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED) return nullptr;
    auto* mapping = static_cast<char*>(area);
    if (body != 0 && mprotect(mapping + page, body, PROT_READ | PROT_WRITE) != 0) {
        munmap(area, mapping_bytes);
        return nullptr;
    }
    char* guard = mapping + page + body;
    std::size_t padded = (bytes + alignment - 1) / alignment * alignment;
    char* begin = guard - padded;
    std::memset(begin, poison, bytes);
    std::memset(begin + bytes, canary, padded - bytes);
    all.arrays.emplace(number(begin), Array{bytes, mapping, mapping_bytes, type});
    all.used += bytes;
    return begin;
}

bool free_device(void* begin) {
    Memory& all = memory();
    std::lock_guard lock(all.mutex);
    auto found = all.arrays.find(number(begin));
    if (found == all.arrays.end()) return false;
    check_canary(found->first, found->second);
    munmap(found->second.mapping, found->second.mapping_bytes);
    all.used -= found->second.bytes;
    all.arrays.erase(found);
    return true;
}

std::size_t bytes_to_end(const void* address) {
    Memory& all = memory();
    std::lock_guard lock(all.mutex);
    std::uintptr_t at = number(address);
    auto inside = [at](const auto& map) -> std::size_t {
        auto entry = entry_before(map, at);
        if (entry == map.end()) return 0;
        std::uintptr_t end = entry->first + entry->second.bytes;
        return at < end ? end - at : 0;
    };
    std::size_t bytes = inside(all.arrays);
    return bytes != 0 ? bytes : inside(all.regions);
}

cudaMemoryType memory_type(const void* address) {
    Memory& all = memory();
    std::lock_guard lock(all.mutex);
    std::uintptr_t at = number(address);
    if (auto entry = entry_before(all.arrays, at);
        entry != all.arrays.end() && at < entry->first + entry->second.bytes) {
        return entry->second.type;
    }
    if (auto entry = entry_before(all.regions, at);
        entry != all.regions.end() && at < entry->first + entry->second.bytes) {
        return cudaMemoryTypeDevice;
    }
    return cudaMemoryTypeUnregistered;
}

std::size_t memory_total() { return memory().total; }

std::size_t memory_in_use() { return memory().used; }

bool describe_address(const void* address, char* text, std::size_t size) {
    const Memory& all = memory();
    std::uintptr_t at = number(address);
    std::uintptr_t nearest = neighbourhood;
    char name[256];
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
    auto consider = [&](std::uintptr_t its_begin, std::size_t its_bytes, auto write_name) {
        std::uintptr_t away = distance(at, its_begin, its_bytes);
        if (away >= nearest) return;
        nearest = away;
        begin = its_begin;
        bytes = its_bytes;
        write_name();
    };
    for (const auto& [its_begin, region] : all.regions) {
        consider(its_begin, region.bytes,
                 [&] { std::snprintf(name, sizeof name, "`%s`", region.name.c_str()); });
    }
    for (const auto& [its_begin, array] : all.arrays) {
        consider(its_begin, array.bytes,
                 [&] { std::snprintf(name, sizeof name, "a device array of its own"); });
    }
    if (nearest == neighbourhood) return false;
    if (at < begin) {
        std::uintptr_t away = begin - at;
        std::snprintf(text, size, "%zu byte%s before the begin of %s (%zu bytes)",
                      static_cast<std::size_t>(away), away == 1 ? "" : "s", name, bytes);
    } else if (at == begin + bytes) {
        std::snprintf(text, size, "just past the end of %s (%zu bytes)", name, bytes);
    } else if (at > begin + bytes) {
        std::uintptr_t away = at - begin - bytes;
        std::snprintf(text, size, "%zu byte%s past the end of %s (%zu bytes)",
                      static_cast<std::size_t>(away), away == 1 ? "" : "s", name, bytes);
    } else {
        std::snprintf(text, size, "byte %zu of %s (%zu bytes), which it may not",
                      static_cast<std::size_t>(at - begin), name, bytes);
    }
    return true;
}

}  // namespace warpboard::emulation

using namespace warpboard::emulation;

extern "C" {

void warpboard_emulation_limit_memory(size_t bytes) {
    std::lock_guard lock(memory().mutex);
    memory().total = bytes;
}

void warpboard_emulation_name_region(const char* name, void* begin, size_t bytes) {
    auto& [mutex, arrays, regions, total, used] = memory();
    std::lock_guard lock(mutex);
    std::uintptr_t first = number(begin);
    for (auto entry = regions.begin(); entry != regions.end();) {
        bool overlaps = entry->first < first + bytes && first < entry->first + entry->second.bytes;
        bool same_begin = entry->first == first;
        entry = overlaps || same_begin ? regions.erase(entry) : std::next(entry);
    }
    if (name != nullptr) regions.emplace(first, Region{bytes, name});
}

void warpboard_emulation_check_allocations() {
    std::lock_guard lock(memory().mutex);
    for (const auto& [begin, array] : memory().arrays) check_canary(begin, array);
}

}
