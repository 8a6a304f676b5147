/// The inner points of a way's segments, the one with the smallest triangle first: the heap of Visvalingam and Whyatt.
///
/// The triangle of a point is the one with its two neighbours in the segment that are left.
struct TriangleQueue {
    private static let none: Int32 = -1

    private let points: [PlanarPoint]
    private var before: [Int32]
    private var after: [Int32]
    private var areas: [Double]
    /// Where in the heap a point lies; none for ends and removed points.
    private var places: [Int32]
    private var heap: [Int32] = []

    /// The queue of the inner points of `segments`, which are ranges of `points`.
    init(_ points: [PlanarPoint], segments: [Range<Int>]) {
        self.points = points
        before = (0..<Int32(points.count)).map { $0 - 1 }
        after = (0..<Int32(points.count)).map { $0 + 1 }
        areas = Array(repeating: 0, count: points.count)
        places = Array(repeating: TriangleQueue.none, count: points.count)
        for segment in segments where segment.count > 2 {
            for index in segment.dropFirst().dropLast() {
                areas[index] = area(at: index)
                places[index] = Int32(heap.count)
                heap.append(Int32(index))
            }
        }
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(from: place) }
    }

    /// How many points are left in the queue.
    var count: Int { heap.count }

    /// Removes the point with the smallest triangle, of equal ones any, and joins its neighbours. Returns its index;
    /// nil if none is left.
    mutating func removeSmallest() -> Int? {
        guard let smallest = heap.first.map(Int.init), let last = heap.popLast() else { return nil }
        places[smallest] = TriangleQueue.none
        if !heap.isEmpty {
            put(last, at: 0)
            sink(from: 0)
        }
        let (left, right) = (Int(before[smallest]), Int(after[smallest]))
        after[left] = Int32(right)
        before[right] = Int32(left)
        update(left)
        update(right)
        return smallest
    }

    private mutating func update(_ index: Int) {
        guard places[index] != TriangleQueue.none else { return }
        areas[index] = area(at: index)
        rise(from: Int(places[index]))
        sink(from: Int(places[index]))
    }

    /// Twice the area of a point's triangle.
    private func area(at index: Int) -> Double {
        let (point, left, right) = (points[index], points[Int(before[index])], points[Int(after[index])])
        return abs((left.x - point.x) * (right.y - point.y) - (right.x - point.x) * (left.y - point.y))
    }

    // MARK: - Heap

    private mutating func put(_ index: Int32, at place: Int) {
        heap[place] = index
        places[Int(index)] = Int32(place)
    }

    private mutating func rise(from start: Int) {
        let index = heap[start]
        let area = areas[Int(index)]
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard area < areas[Int(heap[parent])] else { break }
            put(heap[parent], at: place)
            place = parent
        }
        put(index, at: place)
    }

    private mutating func sink(from start: Int) {
        let index = heap[start]
        let area = areas[Int(index)]
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, areas[Int(heap[child + 1])] < areas[Int(heap[child])] { child += 1 }
            guard areas[Int(heap[child])] < area else { break }
            put(heap[child], at: place)
            place = child
        }
        put(index, at: place)
    }
}

/// A point on a plane; both axes have the same unit.
struct PlanarPoint {
    var x: Double
    var y: Double
}
