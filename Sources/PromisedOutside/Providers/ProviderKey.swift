import FoundationEssentials
import PromisedConcurrency
package import PromisedPlaces

/// Why a provider's key cannot be read.
package enum ProviderKeyProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The configuration names no file.
    case noFile
    /// The file cannot be read, or is larger than 64 KiB.
    case unreadable(path: String)
    /// The file contains no key for the provider.
    case noKey(path: String, source: WeatherSource)

    /// The problem and how to solve it.
    package var description: String {
        switch self {
        case .noFile: "there is no key: name a file in weather.key-file"
        case .unreadable(let path): "the key file \(path) cannot be read: it must be a text of at most 64 KiB"
        case .noKey(let path, let source):
            "the key file \(path) holds no key for \(source.rawValue): add a line \"\(source.rawValue): KEY\""
        }
    }
}

/// A provider's key, read from a file when it is first needed and after each ``forget()``.
///
/// The file has a line `PROVIDER: KEY` for each provider. Empty lines and lines that begin with `#` are skipped; a line
/// without a colon is the key of `kma`. Keys may be percent-encoded, as the Korean portal shows them.
package final class ProviderKey: Sendable {
    private static let largestFile = 64 << 10

    private let source: WeatherSource
    private let path: String?
    private let known: Guarded<String?>

    /// The key of a provider in the file at `path`; nil if no such file is configured.
    package init(of source: WeatherSource, in path: String?) {
        self.source = source
        self.path = path
        known = Guarded(nil)
    }

    /// The key. Reads the file if necessary.
    package func value() throws(ProviderKeyProblem) -> String {
        if let key = known.withLock({ $0 }) { return key }
        guard let path else { throw .noFile }
        guard
            let data = try? Data(contentsOf: URL(filePath: path)),  // The reason would add nothing for the operator.
            data.count <= Self.largestFile
        else { throw .unreadable(path: path) }
        guard let key = Self.key(of: source, in: String(decoding: data, as: UTF8.self)) else {
            throw .noKey(path: path, source: source)
        }
        known.withLock { $0 = key }
        return key
    }

    /// The key if the file has one, for providers that also work without.
    package func valueIfAny() throws(ProviderKeyProblem) -> String? {
        guard path != nil else { return nil }
        do {
            return try value()
        } catch .noKey {
            return nil
        }
    }

    /// Clears the key, so that the file is read again.
    package func forget() { known.withLock { $0 = nil } }

    /// The key of a provider in a file's text.
    static func key(of source: WeatherSource, in text: String) -> String? {
        for line in text.split(whereSeparator: \.isNewline) {
            let line = trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = halves.count == 2 ? trimmed(halves[0]).lowercased() : WeatherSource.kma.rawValue
            let key = trimmed(halves[halves.count - 1])
            if name == source.rawValue, !key.isEmpty { return decoded(key) }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let text = text.drop { $0.isWhitespace }
        return text[..<(text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex)]
    }

    /// The key without percent encoding; unchanged if it has none, or a malformed one.
    private static func decoded(_ key: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = key.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2 else {
                return String(key)
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
