import Foundation

/// Base 64 without padding, in the standard alphabet and in that for URLs (RFC 4648 §4, §5).
///
/// Decoding is strict: no padding, no white space, no bits left over, so that each value has exactly one text.
package enum Base64Text {
    package static func encodeStandard(_ bytes: [UInt8]) -> String {
        var text = Data(bytes).base64EncodedString()
        while text.hasSuffix("=") { text.removeLast() }
        return text
    }

    package static func encodeURL(_ bytes: [UInt8]) -> String {
        String(encodeStandard(bytes).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    package static func decodeStandard(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

    package static func decodeURL(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard !bytes.contains(plus), !bytes.contains(slash) else { return nil }
        return decode(bytes.map { $0 == UInt8(ascii: "-") ? plus : $0 == UInt8(ascii: "_") ? slash : $0 })
    }

    private static let plus = UInt8(ascii: "+")
    private static let slash = UInt8(ascii: "/")

    /// By bytes, because the input may be anything.
    private static func decode(_ text: [UInt8]) -> [UInt8]? {
        let padding = UInt8(ascii: "=")
        guard text.last != padding else { return nil }
        let padded = text + [UInt8](repeating: padding, count: (4 - text.count % 4) % 4)
        guard let data = Data(base64Encoded: Data(padded)), case let bytes = Array(data) else { return nil }
        return Array(encodeStandard(bytes).utf8) == text ? bytes : nil
    }
}
