import ArgumentParser
import Foundation

/// An id on a command line, and where to find those there are.
enum IdentifierArgument {
    /// The id of a promise.
    static func promise(_ text: String) throws -> String { try id(text, of: "promise", shownBy: "promise list") }

    /// The id of a token.
    static func token(_ text: String) throws -> String { try id(text, of: "token", shownBy: "token list") }

    private static func id(_ text: String, of kind: String, shownBy command: String) throws -> String {
        guard let id = UUID(uuidString: text) else {
            throw ValidationError(
                """
                \(text) is no \(kind)'s id. An id looks like 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b; \
                "promisectl \(command)" shows those there are.
                """
            )
        }
        return id.uuidString.lowercased()
    }
}
