/// The cost of one password hash (RFC 7914): memory and time grow with N · r, time also with p.
package struct ScryptCost: Sendable, Hashable {
    /// The accepted exponents of N, including in stored hashes.
    package static let log2NRange = 4...20
    /// The accepted block sizes.
    package static let blockSizeRange = 1...32
    /// The accepted parallelism.
    package static let parallelismRange = 1...16
    /// The most memory one hash may take, in bytes.
    package static let mostMemory = 1 << 30
    /// OWASP's first recommendation, N = 2¹⁷, r = 8, p = 1: 128 MiB and 0.2 to 0.3 s.
    package static let recommended = ScryptCost(log2N: 17, blockSize: 8, parallelism: 1)
    /// For tests and replays only, never for real passwords: well under a millisecond.
    package static let cheap = ScryptCost(log2N: 4, blockSize: 1, parallelism: 1)

    /// N as a power of two.
    package var log2N: Int
    /// r, the block size.
    package var blockSize: Int
    /// p, the number of passes.
    package var parallelism: Int

    /// A cost of the given parameters, unchecked: see ``isAcceptable``.
    package init(log2N: Int, blockSize: Int, parallelism: Int) {
        self.log2N = log2N
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// The memory of one hash, in bytes: 128 · N · r.
    package var memory: Int { 128 * blockSize << log2N }

    /// `true` if all parameters and the memory are within their bounds.
    package var isAcceptable: Bool {
        Self.log2NRange.contains(log2N) && Self.blockSizeRange.contains(blockSize)
            && Self.parallelismRange.contains(parallelism) && memory <= Self.mostMemory
    }
}
