package import Testing

/// Marks: a test names the rows of `docs/coverage.md` that it proves, and the threats of `docs/threat-model.md`.
///
/// `scripts/generate coverage` reads the marks from the sources, so their arguments are literals. At run time a mark is
/// a comment, which the test runner prints beside a failure.
extension Trait where Self == Comment {
    /// The test proves these rows of `docs/coverage.md` or of the protocol.
    ///
    /// - Parameter rows: numbers of rules (`5.4`, `18.1-18.36`), or names of requests, events, codes and paths.
    package static func proves(_ rows: String...) -> Comment {
        "proves \(rows.joined(separator: ", "))"
    }

    /// The test shows the defence against these threats of `docs/threat-model.md`.
    ///
    /// - Parameter threats: ids of the first column, such as `slow-loris`.
    package static func defends(_ threats: String...) -> Comment {
        "defends \(threats.joined(separator: ", "))"
    }
}
