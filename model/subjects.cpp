#include "model/subjects.h"

#include <string>

namespace redeliver::model {

std::vector<sim::Series> run_series() {
    std::vector<sim::Series> series;
    for (std::uint32_t handling = 1; handling <= ids_per_intention; ++handling) {
        const char letter = static_cast<char>('a' + handling - 1);
        series.push_back({"run-", handling == 1 ? std::string{} : std::string(1, letter)});
    }
    return series;
}

}  // namespace redeliver::model
