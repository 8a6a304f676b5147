/// Why a server could not start; its description is a sentence for people.
package struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and where possible what to do.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
