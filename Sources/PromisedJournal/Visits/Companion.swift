package import PromisedDomain

/// A person who was also there.
package enum Companion: Hashable, Sendable {
    case user(UserID)
    /// A person by name, 1–40 characters.
    case named(String)

    /// The most companions of a visit.
    package static let most = 20
    /// The most characters of a name.
    package static let longestName = 40

    /// Checks the companions of a user's visit: their number, their names, that all differ and exclude the user. Throws
    /// `invalid` with the field.
    static func check(_ companions: [Companion], of userID: UserID) throws(Refusal) {
        guard companions.count <= most, Set(companions).count == companions.count,
            !companions.contains(.user(userID))
        else { throw .invalid(field: "companions") }
        for case .named(let name) in companions where !(1...longestName).contains(name.count) {
            throw .invalid(field: "companions.name")
        }
    }
}
