import PromisedDomain
import PromisedSimulation
import Testing

@testable import PromisedPlaces

@Suite struct NearGroupsTests {
    /// Points in the directory, at the poles, on the date line and on the other side of the earth.
    @Test func `sorts groups by a lower bound of their places' distances`() {
        var generator = SeededGenerator(seed: 4)
        let places = RandomDirectory(seed: 4, count: 3_000, spread: 4).places
        let index = PlaceIndex(places, version: 5)
        let far = [(90, 0), (-90, 0), (89.99, 120), (0, 180), (0, -180), (45, -179.9)]
        var points = far.map { Coordinate(latitude: $0.0, longitude: $0.1) }
        for _ in 0..<20 {
            points.append(
                Coordinate(latitude: generator.uniform(-90...90), longitude: generator.uniform(-180...180))
            )
        }
        for near in points + places.prefix(8).map(\.listing.coordinate) { check(index, near) }
    }

    private func check(_ index: PlaceIndex, _ near: Coordinate) {
        let boxes = index.blocks.groupBoxes
        let all = boxes.indices.map { TextScan.Group(number: $0, rows: SIMD4(repeating: .max)) }
        var groups = NearGroups(all, boxes, in: nil, around: near)
        var last = 0.0
        var seen: Set<Int> = []
        while let (group, distance) = groups.removeNearest() {
            #expect(distance >= last)
            last = distance
            seen.insert(group.number)
            let start = group.number * PlaceBlocks.groupSize
            let rows = start..<min(start + PlaceBlocks.groupSize, index.count)
            let nearest = rows.map { near.distanceMetres(to: index.positions.coordinates[$0]) }.min() ?? 0
            #expect(distance <= nearest, "\(near), group \(group.number)")
        }
        #expect(seen.count == boxes.count)
    }
}
