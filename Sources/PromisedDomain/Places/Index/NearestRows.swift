/// The first rows of many in the order of grade, distance and id, or of distance and id alone.
struct NearestRows {
    /// A row that was found.
    struct Found {
        var row: Int
        var grade: Int
        var distanceMetres: Double
        var id: PlaceID
    }

    /// The rows so far in their order, at most ``limit``.
    private(set) var rows: [Found] = []
    /// The most rows.
    let limit: Int
    /// The last row of the pages before; rows up to it are left out.
    private let last: Found?
    private let isByDistance: Bool

    /// No rows yet.
    init(limit: Int, after last: Found? = nil, isByDistance: Bool = false) {
        self.limit = limit
        self.last = last
        self.isByDistance = isByDistance
    }

    /// `true` if further rows can only replace others.
    var isFull: Bool { rows.count >= limit }

    /// Adds a row in its place, if it is one of the first.
    mutating func insert(_ found: Found) {
        if let last, !precedes(last, found) { return }
        if isFull {
            guard let end = rows.last, precedes(found, end) else { return }
            rows.removeLast()
        }
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) >> 1
            if precedes(rows[middle], found) { low = middle + 1 } else { high = middle }
        }
        rows.insert(found, at: low)
    }

    private func precedes(_ left: Found, _ right: Found) -> Bool {
        if !isByDistance, left.grade != right.grade { return left.grade < right.grade }
        return (left.distanceMetres, left.id) < (right.distanceMetres, right.id)
    }

    /// `true` if no row of a grade from that distance on can be among the first.
    func isComplete(_ grade: Int, from distanceMetres: Double) -> Bool {
        guard isFull, let end = rows.last else { return false }
        if isByDistance { return end.distanceMetres < distanceMetres }
        return end.grade < grade || end.grade == grade && end.distanceMetres < distanceMetres
    }
}
