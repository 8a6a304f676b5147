/// Why a run could not be made or came to no result; a sentence for people.
struct LoadFailure: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
