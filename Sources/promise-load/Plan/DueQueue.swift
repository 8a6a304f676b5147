/// A schedule of seats: a binary heap of moments with seat numbers.
///
/// A seat may be rescheduled at any time; the caller skips its older entries.
struct DueQueue: Sendable {
    private struct Entry: Sendable {
        var due: LoadTime
        var seat: Int
    }

    private var heap: [Entry] = []

    /// The earliest moment; nil if the queue is empty.
    var next: LoadTime? { heap.first?.due }

    mutating func add(_ seat: Int, at due: LoadTime) {
        heap.append(Entry(due: due, seat: seat))
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].due < heap[parent].due else { break }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    /// Removes and returns the earliest entry that is due by `now`; nil if there is none.
    mutating func pop(by now: LoadTime) -> (seat: Int, due: LoadTime)? {
        guard let first = heap.first, first.due <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink()
        return (first.seat, first.due)
    }

    private mutating func sink() {
        var index = 0
        while true {
            let left = 2 * index + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child = right < heap.count && heap[right].due < heap[left].due ? right : left
            guard heap[child].due < heap[index].due else { return }
            heap.swapAt(index, child)
            index = child
        }
    }
}
