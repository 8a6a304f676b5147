internal import Crypto
internal import PromisedFormats

/// The SHA-256 of an upload's bytes so far, updated chunk by chunk, so that the last chunk costs no more than the
/// others.
struct UploadDigest: Sendable {
    /// The number of bytes so far.
    private(set) var count: Int64 = 0
    private var hash = SHA256()
    /// The first bytes, which identify the format.
    private(set) var head: [UInt8] = []
    /// The first three bytes, possibly a byte order mark.
    private var start: [UInt8] = []
    /// The first character after those that is not white space.
    private var character: UInt8?

    mutating func add(_ bytes: [UInt8]) {
        hash.update(data: bytes)
        count += Int64(bytes.count)
        head += bytes.prefix(FoundFormat.startLength - head.count)
        let begun = bytes.prefix(3 - start.count)
        start += begun
        if character == nil { character = bytes.dropFirst(begun.count).first(where: Self.isNoSpace) }
    }

    /// The digest of the bytes so far.
    var sha256: [UInt8] { Array(hash.finalize()) }

    /// `true` if the first character after white space and a byte order mark opens an element. The whole document is
    /// parsed when courses are created from it.
    var looksLikeXML: Bool {
        let text = start == [0xEF, 0xBB, 0xBF] ? [] : start
        return (text.first(where: Self.isNoSpace) ?? character) == UInt8(ascii: "<")
    }

    private static func isNoSpace(_ byte: UInt8) -> Bool { ![0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
