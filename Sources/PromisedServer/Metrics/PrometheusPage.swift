internal import Foundation

/// A page in Prometheus' text format, version 0.0.4.
struct PrometheusPage: Sendable {
    /// The media type of the format.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func begin(_ metric: MetricDescriptor) {
        text += "# HELP \(metric.name) \(Self.escaped(metric.help, quotes: false))\n"
        text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
    }

    mutating func sample(_ name: String, _ labels: [MetricLabel], _ value: Double) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
            text += "{" + pairs.joined(separator: ",") + "}"
        }
        text += " \(Self.text(of: value))\n"
    }

    /// A number in the format's notation.
    static func text(of value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map { String($0) } ?? String(value)
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        // By scalars, because a quotation mark with a combining accent is one character.
        let scalars = text.unicodeScalars
        guard scalars.contains(where: { $0 == "\\" || $0 == "\n" || $0 == "\"" }) else { return text }
        return scalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"": result += quotes ? "\\\"" : "\""
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

/// The token that allows any address to read the metrics.
enum MetricsToken {
    /// The shortest token that is safe against guessing.
    static let leastLength = 16

    /// Reads a token from a file, without the line break at its end.
    ///
    /// - Throws: ``StartError`` if it can't be read, is too short, or contains characters other than visible ASCII.
    static func read(_ path: String) throws(StartError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StartError("Cannot read the metrics token from \(path)")
        }
        var bytes = data[...]
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard bytes.count >= leastLength, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw StartError(
                "The metrics token in \(path) must be at least \(leastLength) ASCII characters, without spaces"
            )
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
