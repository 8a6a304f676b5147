/// A header of an HTTP request or response.
public struct HTTPHeader: Sendable, Hashable {
    /// Its name, a token such as `Cache-Control`.
    public let name: String
    /// Its value, without line breaks.
    public let value: String

    /// A header of that name and value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// The header as a line of HTTP/1.1; nil when name or value hold what could break out of the line.
    package var line: String? {
        let nameIsClean = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        let valueIsClean = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        return nameIsClean && valueIsClean && !name.isEmpty ? "\(name): \(value)\r\n" : nil
    }
}
