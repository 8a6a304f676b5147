import PromisedTestMarks
import PromisedTransport
import Testing

struct UnauthenticatedConnectionsTests {
    private static let (one, other, third): ([UInt8], [UInt8], [UInt8]) = ([1], [2], [3])

    private static func id(_ number: Int) -> ConnectionID { ConnectionID(thread: 0, slot: number, generation: 0) }

    /// Open connections of one source, `count` of them, with ids from `first` on.
    private static func open(
        _ count: Int,
        of source: [UInt8],
        from first: Int,
        in unauthenticated: inout UnauthenticatedConnections
    ) {
        for number in first..<(first + count) {
            let isOpen = unauthenticated.open(id(number), from: source)
            #expect(isOpen)
        }
    }

    @Test(.proves("10.8")) func `limits the pending and open connections of a source together`() {
        var unauthenticated = UnauthenticatedConnections(limit: 3)
        #expect(unauthenticated.arrive(Self.id(1), from: Self.one) == true)
        #expect(unauthenticated.open(Self.id(2), from: Self.one) == true)
        #expect(unauthenticated.arrive(Self.id(3), from: Self.one) == true)
        #expect(unauthenticated.arrive(Self.id(4), from: Self.one) == false)
        #expect(unauthenticated.open(Self.id(4), from: Self.one) == false)
        #expect(unauthenticated.arrive(Self.id(5), from: Self.other) == true)
        // Opening moves it from the first count to the second.
        #expect(unauthenticated.open(Self.id(1), from: Self.one) == true)
        #expect(unauthenticated.arrive(Self.id(4), from: Self.one) == false)
        unauthenticated.leave(Self.id(2))
        #expect(unauthenticated.arrive(Self.id(4), from: Self.one) == true)
    }

    @Test(.proves("10.8")) func `the handshake changes the source, or removes it`() {
        var unauthenticated = UnauthenticatedConnections(limit: 1)
        #expect(unauthenticated.arrive(Self.id(1), from: Self.one) == true)
        #expect(unauthenticated.open(Self.id(1), from: Self.other) == true)
        #expect(unauthenticated.arrive(Self.id(2), from: Self.one) == true)
        #expect(unauthenticated.open(Self.id(2), from: nil) == true)
        #expect(unauthenticated.arrive(Self.id(3), from: Self.one) == true)
        // If it is rejected as one of the other source, it is not counted.
        #expect(unauthenticated.open(Self.id(3), from: Self.other) == false)
        #expect(unauthenticated.arrive(Self.id(4), from: Self.one) == true)
    }

    @Test(.proves("10.8"), .defends("idle-connections")) func `closes the oldest of the largest source`() {
        var unauthenticated = UnauthenticatedConnections(limit: 10)
        Self.open(2, of: Self.one, from: 10, in: &unauthenticated)
        Self.open(4, of: Self.other, from: 20, in: &unauthenticated)
        Self.open(1, of: Self.third, from: 30, in: &unauthenticated)
        unauthenticated.leave(Self.id(20))
        #expect(unauthenticated.giveUpOne(onlyOpen: true) == Self.id(21))
        // Two each, the first source's older; then one each, the third source's oldest.
        let next = (0..<5).map { _ in unauthenticated.giveUpOne(onlyOpen: true) }
        #expect(next == [10, 22, 30, 11, 23].map(Self.id))
        #expect(unauthenticated.giveUpOne(onlyOpen: true) == nil)
    }

    @Test(.proves("10.8"))
    func `closes the oldest of equally large sources, never the new one`() {
        var unauthenticated = UnauthenticatedConnections(limit: 10)
        let sources = (0..<1_000).map { [UInt8($0 / 250), UInt8($0 % 250)] }
        for number in 0..<200 { Self.open(1, of: sources[number], from: number, in: &unauthenticated) }
        for number in 200..<1_000 {
            Self.open(1, of: sources[number], from: number, in: &unauthenticated)
            #expect(unauthenticated.giveUpOne(onlyOpen: true) == Self.id(number - 200))
        }
    }

    @Test func `closes those in a handshake unless an open source is larger`() {
        var unauthenticated = UnauthenticatedConnections(limit: 10)
        Self.open(2, of: Self.one, from: 10, in: &unauthenticated)
        for number in 1...2 { #expect(unauthenticated.arrive(Self.id(number), from: Self.other) == true) }
        #expect(unauthenticated.giveUpOne(onlyOpen: false) == Self.id(1))
        #expect(unauthenticated.giveUpOne(onlyOpen: false) == Self.id(10))
        #expect(unauthenticated.giveUpOne(onlyOpen: true) == Self.id(11))
        #expect(unauthenticated.giveUpOne(onlyOpen: true) == nil)
        #expect(unauthenticated.giveUpOne(onlyOpen: false) == Self.id(2))
    }

    /// Random operations, compared with the simplest possible model.
    @Test(.proves("10.8"), arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `behaves like a plain list`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        var unauthenticated = UnauthenticatedConnections(limit: 40)
        var model: [(id: Int, source: UInt8)] = []
        for step in 0..<5_000 {
            let source = UInt8(random.next() % 6)
            switch random.next() % 8 {
            case 0..<5:
                let expected = model.count { $0.source == source } < 40
                #expect(unauthenticated.open(Self.id(step), from: [source]) == expected, "seed \(seed)")
                if expected { model.append((step, source)) }
            case 5..<7:
                guard let gone = model.indices.randomElement(using: &random) else { continue }
                unauthenticated.leave(Self.id(model.remove(at: gone).id))
            default:
                let counts = Dictionary(model.map { ($0.source, 1) }, uniquingKeysWith: +)
                let most = counts.values.max()
                let oldest = counts.filter { $0.value == most }.keys.compactMap { source in
                    model.first { $0.source == source }?.id
                }
                let given = unauthenticated.giveUpOne(onlyOpen: true)
                #expect(given.map { oldest.contains($0.slot) } ?? oldest.isEmpty, "seed \(seed)")
                model.removeAll { $0.id == given?.slot }
            }
        }
    }
}
