internal import PromisedDomain

/// Groups of rows in the order of their distance from a point.
///
/// A heap, the nearest group at its root. Its distances are cheap lower bounds; a group at the root gets the exact one
/// before it is removed.
struct NearGroups {
    private struct Entry {
        /// The index in ``groups``.
        var group: Int32
        var isExact = false
        /// In metres.
        var distance: Double
    }

    private let groups: [TextScan.Group]
    /// The smallest boxes around the rows of groups, by group number.
    private let boxes: [Box]
    private let near: Coordinate
    private var heap: [Entry] = []

    /// The groups that have rows in a part of the map, or all.
    init(_ groups: [TextScan.Group], _ boxes: [Box], in part: Box?, around near: Coordinate) {
        (self.groups, self.boxes, self.near) = (groups, boxes, near)
        let shrinking = cosine(near.latitude * .pi / 180)
        heap.reserveCapacity(groups.count)
        for (place, group) in groups.enumerated() {
            let box = boxes[group.number]
            guard part?.mayMeet(box) ?? true else { continue }
            heap.append(Entry(group: Int32(place), distance: box.roughDistanceMetres(from: near, shrinking)))
        }
        for place in (0..<heap.count / 2).reversed() { sink(from: place) }
    }

    /// Removes and returns the nearest group, with a lower bound of the distances of its rows.
    mutating func removeNearest() -> (group: TextScan.Group, distance: Double)? {
        while let root = heap.first {
            let group = groups[Int(root.group)]
            if root.isExact {
                heap[0] = heap[heap.count - 1]
                heap.removeLast()
                sink(from: 0)
                return (group, root.distance)
            }
            heap[0].distance = boxes[group.number].leastDistanceMetres(from: near)
            heap[0].isExact = true
            sink(from: 0)
        }
        return nil
    }

    private mutating func sink(from start: Int) {
        heap.withUnsafeMutableBufferPointer { heap in
            var place = start
            while true {
                var child = 2 * place + 1
                guard child < heap.count else { return }
                if child + 1 < heap.count, heap[child + 1].distance < heap[child].distance { child += 1 }
                guard heap[child].distance < heap[place].distance else { return }
                heap.swapAt(place, child)
                place = child
            }
        }
    }
}

extension Box {
    /// Degrees of longitude to the nearest edge in the west or east; 0 between them.
    ///
    /// - Precondition: the box does not cross the meridian of 180°.
    private func gap(to longitude: Double) -> Double {
        if longitude < west { return min(west - longitude, longitude - east + 360) }
        return longitude > east ? min(longitude - east, west - longitude + 360) : 0
    }

    /// A lower bound of the distance to the box, without trigonometry: that to the nearest parallel, or a little less
    /// than that to the nearest meridian.
    ///
    /// - Parameter shrinking: the cosine of the latitude of `point`.
    fileprivate func roughDistanceMetres(from point: Coordinate, _ shrinking: Double) -> Double {
        let radians = Double.pi / 180
        let toParallel = max(0, south - point.latitude, point.latitude - north) * radians
        let gap = gap(to: point.longitude) * radians
        // No sine is smaller, and no arc sine smaller than its argument. From a quarter of the earth on the way over the
        // pole may be shorter than the one to the meridian.
        let toMeridian = gap < .pi / 2 ? shrinking * (gap - gap * gap * gap / 6) : 0
        return max(0, max(toParallel, toMeridian) * Coordinate.earthRadiusMetres - 0.001)
    }

    /// The distance to the nearest point of the box, or a little less.
    fileprivate func leastDistanceMetres(from point: Coordinate) -> Double {
        let gap = gap(to: point.longitude)
        var nearest = Coordinate(latitude: min(max(south, point.latitude), north), longitude: point.longitude)
        if gap >= 90 { return roughDistanceMetres(from: point, 0) }
        if gap > 0 {
            // The foot of the perpendicular on the meridian.
            let latitude = point.latitude * .pi / 180
            let foot = arcTangent(sine(latitude), cosine(latitude) * cosine(gap * .pi / 180)) * 180 / .pi
            nearest = Coordinate(latitude: min(max(south, foot), north), longitude: point.longitude + gap)
        }
        // A millimetre and a hundred-millionth less, for rounding.
        return max(0, point.distanceMetres(to: nearest) * (1 - 1e-8) - 0.001)
    }

    /// `false` if the boxes do not intersect; the other one does not cross the meridian of 180°.
    fileprivate func mayMeet(_ other: Box) -> Bool {
        guard south <= other.north, north >= other.south else { return false }
        return crossesDateLine ? other.east >= west || other.west <= east : other.east >= west && other.west <= east
    }
}
