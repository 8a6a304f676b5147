/// Where a page of an explanation begins: first come the revisions, then the fixes.
enum ExplanationCursor: Equatable, CustomStringConvertible {
    /// With what the durable events after a number changed.
    case revisions(after: Int)
    /// With the fix at a position, counted from 0.
    case fixes(from: Int)

    /// A cursor from its opaque text; nil for any other text.
    init?(_ text: String) {
        let isOfRevisions = text.hasPrefix("r")
        guard let number = Int(isOfRevisions ? text.dropFirst() : text[...]), number >= 0 else { return nil }
        self = isOfRevisions ? .revisions(after: number) : .fixes(from: number)
    }

    var description: String {
        switch self {
        case .revisions(let seq): "r\(seq)"
        case .fixes(let position): "\(position)"
        }
    }
}
