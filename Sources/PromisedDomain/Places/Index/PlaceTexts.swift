/// The texts of places in the order in which they came, until the order of the rows is known.
struct PlaceTexts {
    /// The texts of one place, good while ``withTexts(of:_:)`` runs.
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
    func withTexts(of order: [UInt32], _ body: (Texts) -> Void) {
        bytes.withUnsafeBytes { bytes in
            for place in order {
                let end = ends[Int(place)]
                let start = place == 0 ? 0 : Int(ends[Int(place) - 1].others)
                func text(_ start: Int, _ end: UInt32) -> UnsafeRawBufferPointer {
                    UnsafeRawBufferPointer(rebasing: bytes[start..<Int(end)])
                }
                let others = text(Int(end.address), end.others).split(separator: PlaceTexts.separator)
                body(
                    Texts(
                        name: text(start, end.name),
                        address: text(Int(end.name), end.address),
                        others: others.map(UnsafeRawBufferPointer.init(rebasing:))
                    )
                )
            }
        }
    }
}
