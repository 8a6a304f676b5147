import Foundation

/// Base 64 without padding, in the standard alphabet and in that for URLs (RFC 4648 §4, §5).
///
/// Decoding is strict: no padding, no white space, no bits left over, so that each value has exactly one text.
enum Base64Text {
    static func encodeStandard(_ bytes: [UInt8]) -> String {
        var text = Data(bytes).base64EncodedString()
        while text.hasSuffix("=") { text.removeLast() }
        return text
    }

    static func encodeURL(_ bytes: [UInt8]) -> String {
        String(encodeStandard(bytes).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    static func decodeStandard(_ text: String) -> [UInt8]? {
        guard !text.contains("=") else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding), case let bytes = Array(data) else { return nil }
        return encodeStandard(bytes) == text ? bytes : nil
    }

    static func decodeURL(_ text: String) -> [UInt8]? {
        guard !text.contains("+"), !text.contains("/") else { return nil }
        return decodeStandard(String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }))
    }
}
