internal import PromisedAccess
internal import PromisedProtocol
internal import PromisedWire

/// The part of a list that a request asks for.
enum PageRequest {
    /// At most so many items on a page.
    static let largest = 50

    /// The number of items wanted; all that a page holds when the request names none.
    ///
    /// - Throws: `request.invalid` below 1.
    static func limit(_ asked: Int32?) throws(RequestError) -> Int {
        guard let asked else { return largest }
        guard asked >= 1 else { throw RequestError(.requestInvalid, field: "limit") }
        return min(Int(asked), largest)
    }

    /// Where the page begins; nil for the first.
    ///
    /// - Throws: `request.invalid` for a cursor that no reply gave.
    static func cursor<Cursor>(_ text: String, _ parse: (String) -> Cursor?) throws(RequestError) -> Cursor? {
        guard !text.isEmpty else { return nil }
        let isLooked = text.utf8.count <= TextWeight.cursor && text.utf8.allSatisfy { $0 < 0x80 }
        guard isLooked, let cursor = parse(text) else { throw RequestError(.requestInvalid, field: "cursor") }
        return cursor
    }
}
