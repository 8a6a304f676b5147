import Crypto
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite struct UploadDigestTests {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func digest(_ bytes: [UInt8], piece: Int) -> UploadDigest {
        var digest = UploadDigest()
        for start in stride(from: 0, to: bytes.count, by: piece) {
            digest.add(Array(bytes[start..<min(start + piece, bytes.count)]))
        }
        return digest
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1_000]) func `computes the same digest for chunks of any size`(piece: Int) {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        let digest = Self.digest(bytes, piece: piece)
        #expect(digest.count == 1_000 && digest.sha256 == Array(SHA256.hash(data: bytes)))
        #expect(Self.digest([], piece: piece).sha256 == Array(SHA256.hash(data: [UInt8]())))
    }

    @Test(arguments: [
        ("<gpx/>", true), (" \t\r\n<gpx/>", true), ("\u{FEFF}<gpx/>", true), ("\u{FEFF}\n\n  <", true), ("", false),
        ("  ", false), ("\u{FEFF}", false), ("gpx <", false), ("    x<", false), ("\u{FEFF}x<", false),
        ("\u{FEFF}\u{FEFF}<", false), ("  \u{FEFF}<", false), ("<", true), ("  <", true), ("   <", true),
    ])
    func `recognizes XML by its first character in chunks of any size`(text: String, isXML: Bool) {
        for piece in 1...5 { #expect(Self.digest(Array(text.utf8), piece: piece).looksLikeXML == isXML, "\(piece)") }
    }
}
