internal import PromisedDomain

/// Everything that happened in a world, as one number, and on request as text: equal stories have equal journals.
struct Journal: Sendable {
    /// FNV-1a over all lines.
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The lines, if they are recorded.
    private(set) var lines: [String] = []
    private(set) var count = 0
    private let keepsLines: Bool

    init(keepingLines: Bool) { keepsLines = keepingLines }

    /// Adds the bytes of a frame to the digest alone, by a hash that is the same in every process of a simulation.
    mutating func add(_ bytes: [UInt8]) {
        digest = (digest ^ UInt64(bitPattern: Int64(bytes.hashValue))) &* 0x0000_0100_0000_01B3
    }

    mutating func add(_ instant: Instant, _ line: @autoclosure () -> String) {
        let line = "\(instant.milliseconds) \(line())"
        for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        count += 1
        if keepsLines { lines.append(line) }
    }
}
