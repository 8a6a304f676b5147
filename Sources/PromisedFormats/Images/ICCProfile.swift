/// A colour profile (ICC.1:2022).
enum ICCProfile {
    private static let headerLength = 128
    private static let signatureOffset = 36

    /// The profile without bytes behind its end; nil if the bytes do not begin with a whole profile. Browsers ignore
    /// such profiles.
    static func cleaned(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.count >= headerLength, bytes[signatureOffset...].starts(with: "acsp".utf8) else { return nil }
        let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        return (headerLength...bytes.count).contains(length) ? bytes[..<length] : nil
    }
}
