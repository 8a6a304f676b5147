/// The inner points of a way's segments, the one with the smallest triangle first: the heap of Visvalingam and Whyatt.
///
/// The triangle of a point is the one with its two neighbours in the segment that are left.
struct TriangleQueue {
    // The area lies beside the index, so that a comparison reads no memory but the heap's.
    private struct Entry {
        var area: Double
        var index: Int32
    }

    private static let none: Int32 = -1

    private let points: [PlanarPoint]
    private var before: [Int32]
    private var after: [Int32]
    /// The position of each point in the heap; ``none`` for ends and removed points.
    private var places: [Int32]
    private var heap: [Entry] = []

    /// The queue of the inner points of `segments`, which are ranges of `points`.
    init(_ points: [PlanarPoint], segments: [Range<Int>]) {
        self.points = points
        before = (0..<Int32(points.count)).map { $0 - 1 }
        after = (0..<Int32(points.count)).map { $0 + 1 }
        places = Array(repeating: TriangleQueue.none, count: points.count)
        heap.reserveCapacity(points.count)
        for segment in segments where segment.count > 2 {
            for index in segment.dropFirst().dropLast() {
                places[index] = Int32(heap.count)
                heap.append(Entry(area: area(at: index), index: Int32(index)))
            }
        }
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(heap[place], from: place) }
    }

    /// How many points are left in the queue.
    var count: Int { heap.count }

    /// Twice the area of the smallest triangle; nil if no point is left.
    var smallestArea: Double? { heap.first?.area }

    /// Removes the point with the smallest triangle, any of equal ones, and joins its neighbours. Returns its index;
    /// nil if the queue is empty.
    mutating func removeSmallest() -> Int? {
        guard let smallest = heap.first.map({ Int($0.index) }), let last = heap.popLast() else { return nil }
        places[smallest] = TriangleQueue.none
        if !heap.isEmpty { sink(last, from: 0) }
        let (left, right) = (Int(before[smallest]), Int(after[smallest]))
        after[left] = Int32(right)
        before[right] = Int32(left)
        update(left)
        update(right)
        return smallest
    }

    private mutating func update(_ index: Int) {
        let place = Int(places[index])
        guard place != TriangleQueue.none else { return }
        let entry = Entry(area: area(at: index), index: Int32(index))
        if entry.area < heap[place].area { rise(entry, from: place) } else { sink(entry, from: place) }
    }

    /// Twice the area of a point's triangle.
    private func area(at index: Int) -> Double {
        let (point, left, right) = (points[index], points[Int(before[index])], points[Int(after[index])])
        return abs((left.x - point.x) * (right.y - point.y) - (right.x - point.x) * (left.y - point.y))
    }

    // MARK: - Heap

    private mutating func put(_ entry: Entry, at place: Int) {
        heap[place] = entry
        places[Int(entry.index)] = Int32(place)
    }

    /// Puts an entry at a place or above it, where it is not smaller than its parent.
    private mutating func rise(_ entry: Entry, from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard entry.area < heap[parent].area else { break }
            put(heap[parent], at: place)
            place = parent
        }
        put(entry, at: place)
    }

    /// Puts an entry at a place or below it, where none of its children is smaller.
    private mutating func sink(_ entry: Entry, from start: Int) {
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].area < heap[child].area { child += 1 }
            guard heap[child].area < entry.area else { break }
            put(heap[child], at: place)
            place = child
        }
        put(entry, at: place)
    }
}

/// A point on a plane; both axes have the same unit.
struct PlanarPoint {
    var x: Double
    var y: Double
}
