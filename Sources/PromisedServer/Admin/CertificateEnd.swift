internal import Foundation
internal import PromisedDomain

/// When the first certificate of a PEM file expires (RFC 5280 §4.1.2.5).
struct CertificateEnd {
    /// The last second at which it is valid.
    let instant: Instant

    /// Reads a file; nil if it contains no readable certificate.
    init?(file: String) {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        self.init(pem: text)
    }

    /// Reads a text of one or more PEM blocks.
    init?(pem: String) {
        let begin = "-----BEGIN CERTIFICATE-----"
        guard let start = pem.range(of: begin)?.upperBound,
            let end = pem.range(of: "-----END CERTIFICATE-----", range: start..<pem.endIndex)?.lowerBound,
            let bytes = Data(base64Encoded: String(pem[start..<end]), options: .ignoreUnknownCharacters)
        else { return nil }
        self.init(der: [UInt8](bytes))
    }

    /// Reads a certificate. In its first part the version (optional), serial number, algorithm and issuer precede the
    /// validity, whose second time is the end.
    init?(der: [UInt8]) {
        var outer = DERReader(der[...])
        guard var certificate = outer.next(DERReader.sequence).map(DERReader.init),
            var signed = certificate.next(DERReader.sequence).map(DERReader.init)
        else { return nil }
        if signed.peek == DERReader.version { _ = signed.next(DERReader.version) }
        guard signed.next(DERReader.integer) != nil, signed.next(DERReader.sequence) != nil,
            signed.next(DERReader.sequence) != nil, var validity = signed.next(DERReader.sequence).map(DERReader.init),
            validity.nextTime() != nil, let end = validity.nextTime()
        else { return nil }
        instant = end
    }
}

/// Reads consecutive DER values (X.690).
private struct DERReader {
    static let integer: UInt8 = 0x02
    static let sequence: UInt8 = 0x30
    static let version: UInt8 = 0xA0
    private static let utcTime: UInt8 = 0x17
    private static let generalizedTime: UInt8 = 0x18

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var peek: UInt8? { rest.first }

    mutating func next(_ tag: UInt8) -> ArraySlice<UInt8>? {
        guard rest.first == tag, let length = length(), length.count <= rest.endIndex - length.start else { return nil }
        defer { rest = rest[(length.start + length.count)...] }
        return rest[length.start..<length.start + length.count]
    }

    /// The next value if it is a time, two digits of its year meaning 1950 to 2049.
    mutating func nextTime() -> Instant? {
        let isLong = peek == Self.generalizedTime
        guard let content = next(isLong ? Self.generalizedTime : Self.utcTime),
            let digits = String(validating: content, as: UTF8.self), digits.count == (isLong ? 15 : 13)
        else { return nil }
        let whole = isLong ? digits : (digits < "5" ? "20" : "19") + digits
        let parts = [4, 6, 8, 10, 12].map { whole.index(whole.startIndex, offsetBy: $0) }
        let date = "\(whole[..<parts[0]])-\(whole[parts[0]..<parts[1]])-\(whole[parts[1]..<parts[2]])"
        let time = "\(whole[parts[2]..<parts[3]]):\(whole[parts[3]..<parts[4]]):\(whole[parts[4]...])"
        return Instant(rfc3339: "\(date)T\(time)")
    }

    /// The length of the next value and where its content starts.
    private func length() -> (start: Int, count: Int)? {
        let head = rest.startIndex + 1
        guard head < rest.endIndex else { return nil }
        guard rest[head] & 0x80 != 0 else { return (head + 1, Int(rest[head])) }
        let size = Int(rest[head] & 0x7F)
        guard (1...4).contains(size), head + size < rest.endIndex else { return nil }
        return (head + 1 + size, rest[(head + 1)...(head + size)].reduce(0) { $0 << 8 | Int($1) })
    }
}
