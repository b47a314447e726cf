#pragma once

#include <cstdint>
#include <vector>

#include "model/database/sessions.h"

namespace redeliver::model::database {

/// Sessions that wait for one row, in the order in which they came. The first waits for the end of
/// the transaction that holds the row, the others for their turn: PostgreSQL's heavyweight tuple
/// lock. Source: access/heap/README.tuplock.
struct RowQueue {
    TableId table;
    RowId row;
    std::vector<Slot> members;  ///< Empty only while unused.
};

/// The queues of a server, numbered from 1; 0 is no queue.
class RowQueues {
public:
    RowQueue& operator[](std::uint32_t queue) { return queues_[queue - 1]; }
    const RowQueue& operator[](std::uint32_t queue) const { return queues_[queue - 1]; }

    std::uint32_t open(TableId table, RowId row) {
        if (free_.empty()) {
            queues_.emplace_back();
            free_.push_back(static_cast<std::uint32_t>(queues_.size()));
        }
        const std::uint32_t queue = free_.back();
        free_.pop_back();
        (*this)[queue] = {.table = table, .row = row, .members = {}};
        return queue;
    }
    void close(std::uint32_t queue) { free_.push_back(queue); }

private:
    std::vector<RowQueue> queues_;
    std::vector<std::uint32_t> free_;
};

}  // namespace redeliver::model::database
