internal import PromisedDomain

/// The nearest of many courses; of equally near ones, those with the largest ids.
struct NearestCourses {
    /// A course whose box has its centre this many metres away.
    struct Entry: Hashable {
        var metres: Double
        var id: CourseID
    }

    /// The nearest courses so far, nearest first.
    private(set) var entries: [Entry] = []
    private let limit: Int
    private let last: Entry?

    /// An empty selection.
    ///
    /// - Parameters:
    ///   - limit: the most courses, 1 or more.
    ///   - last: the last course of the previous pages; courses up to it are skipped.
    init(limit: Int, after last: Entry? = nil) {
        self.limit = limit
        self.last = last
    }

    /// Adds a course, if it is one of the nearest so far.
    mutating func insert(_ entry: Entry) {
        if let last, !NearestCourses.isNearer(last, entry) { return }
        if entries.count == limit {
            guard let furthest = entries.last, NearestCourses.isNearer(entry, furthest) else { return }
            entries.removeLast()
        }
        entries.insert(entry, at: place(of: entry))
    }

    /// How many of the entries are nearer.
    private func place(of entry: Entry) -> Int {
        var places = 0..<entries.count
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            let isAfter = NearestCourses.isNearer(entries[middle], entry)
            places = isAfter ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        return places.lowerBound
    }

    private static func isNearer(_ left: Entry, _ right: Entry) -> Bool {
        left.metres == right.metres ? left.id > right.id : left.metres < right.metres
    }
}
