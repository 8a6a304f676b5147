/// How text may look.
struct Style: Hashable, Sendable {
    /// Whether the reader sees colours.
    var isColoured: Bool

    /// Text without any colour.
    static let plain = Style(isColoured: false)

    /// Text in a tone, as far as the reader sees it.
    func paint(_ text: String, _ tone: Tone) -> String {
        guard isColoured, let code = tone.code, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}

/// What a piece of text wants to say with its colour.
enum Tone: Hashable, Sendable {
    /// Nothing.
    case plain
    /// A heading.
    case heading
    /// Of little weight.
    case faint
    /// All is well.
    case good
    /// Somebody should look.
    case warning
    /// Something is wrong.
    case bad

    /// The parameter of the terminal's "select graphic rendition" (ECMA-48 8.3.117).
    fileprivate var code: String? {
        switch self {
        case .plain: nil
        case .heading: "1"
        case .faint: "2"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        }
    }
}
