#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "model/subjects.h"
#include "sim/ensure.h"
#include "sim/names.h"

namespace redeliver::properties {

/// Something per run, in dense rows: an access costs an index and no search, and going through all
/// of them is in the order of their numbers, so that nothing depends on a hash.
///
/// `clear` keeps the memory, so that the next trial allocates nothing.
template <class T>
class RunTable {
public:
    /// The run's own value, a fresh one at first use.
    T& operator[](sim::Subject run) {
        sim::ensure(model::is_run(run), "a biography is about a run");
        const std::uint32_t series = sim::series_of(run) - sim::first_free_series;
        used_ = std::max(used_, series + 1);
        std::vector<T>& row = rows_[series];
        const std::uint32_t number = sim::number_of(run);
        if (number >= row.size()) [[unlikely]]
            row.resize(number + 1);
        return row[number];
    }

    /// The run's value, or nullptr when neither it nor a later one has been used.
    const T* find(sim::Subject run) const {
        if (!model::is_run(run)) return nullptr;
        const std::vector<T>& row = rows_[sim::series_of(run) - sim::first_free_series];
        const std::uint32_t number = sim::number_of(run);
        return number < row.size() ? &row[number] : nullptr;
    }

    /// Visits (run, value) for every row, also those that were only skipped over.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::uint32_t series = 0; series < used_; ++series)
            for (std::uint32_t number = 0; number < rows_[series].size(); ++number)
                visit(sim::subject_of(sim::first_free_series + series, number),
                      rows_[series][number]);
    }

    void clear() {
        for (std::uint32_t series = 0; series < used_; ++series) rows_[series].clear();
        used_ = 0;
    }

private:
    std::array<std::vector<T>, model::ids_per_intention> rows_;
    std::uint32_t used_ = 0;  // Series with rows.
};

}  // namespace redeliver::properties
