/// An account to be made, from one row of a file.
struct AccountRow: Hashable, Sendable {
    /// The line it begins on, from 1.
    var line: Int
    var nickname: String
    var email: String
    var password: String
}

/// A row that cannot be imported.
struct BadRow: Hashable, Sendable, Encodable {
    /// The line it begins on, from 1.
    var line: Int
    /// What is wrong with it, for people.
    var problem: String
}
