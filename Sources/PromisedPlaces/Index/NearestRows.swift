internal import PromisedDomain

/// The first rows of many in the order of weighted distance and id.
struct NearestRows {
    /// A row that was found.
    struct Found {
        var row: Int
        var grade: Int
        var distanceMetres: Double
        var id: PlaceID

        /// The order of the rows; equals that of the distances among rows of one grade.
        var weightedMetres: Double { SearchGrade.weightedMetres(distanceMetres, grade) }
    }

    /// The rows so far as a heap, the last one of the order at its root; at most ``limit``.
    private var heap: [Found] = []
    /// The most rows.
    let limit: Int
    /// The last row of the pages before; rows up to it are left out.
    private let last: Found?

    init(limit: Int, after last: Found? = nil) {
        self.limit = limit
        self.last = last
    }

    /// `true` if the limit is reached, so that further rows only replace others.
    var isFull: Bool { heap.count >= limit }

    /// The rows in their order.
    var rows: [Found] { heap.sorted(by: precedes) }

    /// Adds a row, if it is one of the first.
    mutating func insert(_ found: Found) {
        if let last, !precedes(last, found) { return }
        if !isFull {
            heap.append(found)
            rise(from: heap.count - 1)
        } else if let root = heap.first, precedes(found, root) {
            heap[0] = found
            sink()
        }
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0, precedes(heap[(place - 1) / 2], heap[place]) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink() {
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, precedes(heap[child], heap[child + 1]) { child += 1 }
            guard precedes(heap[place], heap[child]) else { return }
            heap.swapAt(place, child)
            place = child
        }
    }

    private func precedes(_ left: Found, _ right: Found) -> Bool {
        (left.weightedMetres, left.distanceMetres, left.id) < (right.weightedMetres, right.distanceMetres, right.id)
    }

    /// `true` if no row of a grade at that distance or beyond can be among the first.
    func isComplete(_ grade: Int, from distanceMetres: Double) -> Bool {
        guard isFull, let end = heap.first else { return false }
        return end.weightedMetres < SearchGrade.weightedMetres(distanceMetres, grade)
    }
}
