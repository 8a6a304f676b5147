/// A format that a file may have besides that of a picture, because it is recognised from elsewhere than the first byte.
package enum ForeignFormat: String, Hashable, Sendable, CaseIterable {
    /// Found from its end: the end of the central directory (APPNOTE 6.3.10 section 4.3.16).
    case zip = "ZIP"
    /// Found within the first 1,024 bytes.
    case pdf = "PDF"
    /// Found anywhere: archives that unpack themselves have a program in front.
    case rar = "RAR"
    /// Found anywhere, like ``rar``.
    case sevenZip = "7z"

    /// Throws ``ImageProblem/polyglot(with:)`` if the bytes are a file of another format as well.
    static func refuse(_ bytes: [UInt8]) throws(ImageProblem) {
        if let found = allCases.first(where: { $0.isIn(bytes) }) { throw .polyglot(with: found) }
    }

    private func isIn(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .zip: Self.hasZIPEnd(bytes)
        case .pdf: Self.has(Array("%PDF-".utf8), in: bytes.prefix(1_024))
        case .rar: Self.has(Array("Rar!\u{1A}\u{7}".utf8), in: bytes[...])
        case .sevenZip: Self.has([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], in: bytes[...])
        }
    }

    private static func has(_ signature: [UInt8], in bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let start = rest.firstIndex(of: signature[0]) {
            if rest[start...].starts(with: signature) { return true }
            rest = rest[(start + 1)...]
        }
        return false
    }

    /// `true` if an end record stands where programs look for it and a central directory ends in front of it. Four
    /// bytes alone would refuse one film in 65,000.
    private static func hasZIPEnd(_ bytes: [UInt8]) -> Bool {
        let endLength = 22
        let first = max(0, bytes.count - endLength - 65_535)
        guard bytes.count >= endLength else { return false }
        return (first...bytes.count - endLength).contains { end in
            guard bytes[end] == 0x50, bytes[end...].starts(with: [0x50, 0x4B, 0x05, 0x06]) else { return false }
            let length = bytes[end + 12..<end + 16].reversed().reduce(0) { $0 << 8 | Int($1) }
            if length == 0xFFFF_FFFF {
                return end >= 20 && bytes[(end - 20)...].starts(with: [0x50, 0x4B, 0x06, 0x07])
            }
            return length <= end && bytes[(end - length)...].starts(with: [0x50, 0x4B, 0x01, 0x02])
        }
    }
}
