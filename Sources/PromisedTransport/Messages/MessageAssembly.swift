/// Assembles a message from the library's pieces, and refuses one that grows too large.
package struct MessageAssembly {
    /// The result of a piece.
    package enum Outcome: Equatable, Sendable {
        /// More pieces follow: `announced` bytes have arrived or are announced.
        case incomplete(announced: Int)
        case message([UInt8])
        /// The message is, or will be, larger than allowed; its pieces are discarded.
        case tooLarge
        /// The text ends in the middle of a character.
        case malformedText
    }

    private var pieces: [UInt8] = []

    /// `true` if a message has begun and is incomplete.
    package private(set) var isIncomplete = false

    package init() {}

    /// Adds a piece.
    /// - Parameters:
    ///   - piece: the bytes, valid during the call only.
    ///   - remaining: how many bytes of the same frame follow.
    ///   - isFinal: `true` if the message ends with this piece.
    ///   - isText: `true` if the message is text. The library checks the text, except that an empty last frame may
    ///     leave a
    ///     character incomplete; that is checked here.
    ///   - limit: the largest size of a message, in bytes.
    package mutating func add(
        _ piece: UnsafeBufferPointer<UInt8>,
        remaining: Int,
        isFinal: Bool,
        isText: Bool,
        limit: Int
    ) -> Outcome {
        // Each term is checked against the limit first, so that an announced length near 2⁶³ can't overflow the sum.
        guard remaining <= limit, pieces.count + piece.count + remaining <= limit else {
            forget()
            return .tooLarge
        }
        guard isFinal else {
            isIncomplete = true
            pieces.append(contentsOf: piece)
            return .incomplete(announced: pieces.count + remaining)
        }
        guard isIncomplete else { return .message(Array(piece)) }
        pieces.append(contentsOf: piece)
        let message = pieces
        forget()
        if isText, piece.isEmpty, String(validating: message, as: UTF8.self) == nil { return .malformedText }
        return .message(message)
    }

    private mutating func forget() {
        pieces = []
        isIncomplete = false
    }
}
