/// A colour profile (ICC.1:2022).
enum ICCProfile {
    private static let headerLength = 128
    private static let signatureOffset = 36

    /// How many of the first bytes tell the length.
    static let startLength = 40

    /// The bytes of a profile without those behind its end; nil if the bytes do not begin with a whole profile. Browsers
    /// ignore such profiles.
    ///
    /// - Parameters:
    ///   - start: the first ``startLength`` bytes, or all if there are fewer.
    ///   - count: the number of all bytes.
    static func length(_ start: [UInt8], of count: Int) -> Int? {
        guard count >= headerLength, start[signatureOffset...].starts(with: "acsp".utf8) else { return nil }
        let length = start[..<4].reduce(0) { $0 << 8 | Int($1) }
        return (headerLength...count).contains(length) ? length : nil
    }
}
