/// The addresses of all places, each split in two parts, because streets and numbers repeat.
struct PlaceAddresses: Sendable {
    /// The texts before the last number of an address, such as `서울특별시 종로구 창경궁로 `.
    private(set) var heads = TextPool()
    /// The rest, such as `88` or `88 (예지동)`.
    private(set) var tails = TextPool()
    /// The head of each row.
    private(set) var headNumbers: [UInt32] = []
    /// The tail of each row.
    private(set) var tailNumbers: [UInt32] = []

    /// Empty, with memory reserved.
    init(expectedCount: Int = 0) {
        headNumbers.reserveCapacity(expectedCount)
        tailNumbers.reserveCapacity(expectedCount)
    }

    /// Adds the address of a place by its bytes.
    mutating func append(_ address: UnsafeRawBufferPointer) {
        let split = PlaceAddresses.lastNumber(in: address)
        let head = heads.number(of: UnsafeRawBufferPointer(rebasing: address[..<split]))
        let tail = tails.number(of: UnsafeRawBufferPointer(rebasing: address[split...]))
        headNumbers.append(UInt32(head))
        tailNumbers.append(UInt32(tail))
    }

    /// Releases the memory reserved for further addresses.
    mutating func complete() {
        heads.complete()
        tails.complete()
    }

    func address(of row: Int) -> String {
        heads.text(Int(headNumbers[row])) + tails.text(Int(tailNumbers[row]))
    }

    /// Calls `body` with the keys of a head and of a tail.
    @inline(__always)
    func withKeys(_ head: Int, _ tail: Int, _ body: (_ head: KeySlice, _ tail: KeySlice) -> Void) {
        heads.withKeys { heads, headRange in
            tails.withKeys { tails, tailRange in body(heads[headRange(head)], tails[tailRange(tail)]) }
        }
    }

    /// The pairs of letters in all heads and tails, treated as one block. Pairs across a head and a tail are not
    /// included.
    func signatures() -> BlockSignatures {
        var signatures = BlockSignatures(rows: 1)
        for pool in [heads, tails] {
            pool.withKeys { units, range in
                for number in 0..<pool.count { signatures.add(units[range(number)], to: 0) }
            }
        }
        return signatures
    }

    /// Calls `body` with the keys of heads and tails, and with their numbers by row.
    func withColumns<Result>(
        _ body: (_ heads: UnitColumn, _ tails: UnitColumn, UnsafePointer<UInt32>, UnsafePointer<UInt32>) -> Result
    ) -> Result {
        heads.withColumn { heads in
            tails.withColumn { tails in
                headNumbers.withUnsafeBufferPointer { headNumbers in
                    tailNumbers.withUnsafeBufferPointer { tailNumbers in
                        guard let first = headNumbers.baseAddress, let second = tailNumbers.baseAddress else {
                            preconditionFailure("An index without places")
                        }
                        return body(heads, tails, first, second)
                    }
                }
            }
        }
    }

    /// The size of the columns and the texts in bytes.
    var byteCount: Int { headNumbers.count * 8 + heads.byteCount + tails.byteCount }

    /// Where the last number begins, with the numbers that hyphens join to it; the end if there is none.
    private static func lastNumber(in bytes: UnsafeRawBufferPointer) -> Int {
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard let last = bytes.lastIndex(where: isDigit) else { return bytes.count }
        var start = last
        while start > 0, isDigit(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: "-") { start -= 1 }
        return start
    }
}
