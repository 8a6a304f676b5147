internal import Foundation

/// The token with which metrics are read from elsewhere.
enum MetricsToken {
    /// The fewest characters that are not guessed.
    static let leastLength = 16

    /// Reads a token from a file, the line break at its end left out.
    ///
    /// - Throws: ``StartError`` when it can't be read, is too short or is none: visible ASCII without spaces.
    static func read(_ path: String) throws(StartError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StartError("Cannot read the token of the metrics from \(path)")
        }
        var bytes = data[...]
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard bytes.count >= leastLength, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw StartError(
                "The token of the metrics in \(path) must be \(leastLength) characters of ASCII or more, without spaces"
            )
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
