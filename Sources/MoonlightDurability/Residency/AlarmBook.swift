import Moonlight

/// The due times of members, as a heap.
struct AlarmBook: Hashable {
    private struct Entry: Hashable {
        let time: Int64
        let id: ExactText
    }

    /// The time of each member. The heap may also have outdated entries.
    private var times: [ExactText: Int64] = [:]
    /// A binary heap: no entry is later than its two children.
    private var heap: [Entry] = []

    var count: Int { times.count }

    /// The earliest time; nil if there is none.
    var next: Int64? { heap.first?.time }

    /// Sets the time of a member; nil for none.
    mutating func set(_ time: Int64?, for id: String) {
        let id = ExactText(id)
        guard times[id] != time else { return }
        times[id] = time
        if let time { push(Entry(time: time, id: id)) }
        if heap.count > 64, heap.count > 2 * times.count {
            let entries = times.map { Entry(time: $0.value, id: $0.key) }
            heap = []
            for entry in entries { push(entry) }
        }
        dropStale()
    }

    /// Removes and returns the members that are due, earliest first.
    mutating func takeDue(at now: Int64, most: Int) -> [String] {
        var due: [String] = []
        while due.count < most, let first = heap.first, first.time <= now {
            times[first.id] = nil
            due.append(first.id.text)
            dropStale()
        }
        return due
    }

    private mutating func dropStale() { while let first = heap.first, times[first.id] != first.time { pop() } }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var place = heap.count - 1
        while place > 0, heap[(place - 1) / 2].time > heap[place].time {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].time < heap[least].time {
                least = child
            }
            if least == place { return }
            heap.swapAt(place, least)
            place = least
        }
    }
}
