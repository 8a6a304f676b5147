/// Why the server does not start: everything wrong with its configuration at once.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// In the order of the table of settings, unknown keys last; never empty.
    package let problems: [ConfigurationProblem]

    /// An error of at least one problem.
    init(_ problems: [ConfigurationProblem]) {
        precondition(!problems.isEmpty, "An error needs a problem")
        self.problems = problems
    }

    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
