import PromisedClient
import PromisedProtocol

extension Administration {
    /// The one user whose id, nickname or e-mail this is.
    ///
    /// - Throws: `refused` with suggestions when it is nobody's, with the ids when it is more than one user's.
    func user(named name: String) async throws(Failure) -> WireAdminUser {
        let found = try await ask(.findUsers(named: name))
        guard let user = found.users.first else {
            throw .refused("no user is called \(name.printable)\(Self.hint(found.suggestions))")
        }
        guard found.users.count == 1 else {
            let ids = found.users.map { "\($0.user.userID) (\($0.user.nickname.printable))" }
            throw .refused("\(name.printable) is ambiguous; use an id: \(ids.joined(separator: ", "))")
        }
        return user
    }

    /// The ids of users by their names, in the same order.
    func userIDs(named names: [String]) async throws(Failure) -> [String] {
        var ids: [String] = []
        for name in names { ids.append(try await user(named: name).user.userID) }
        return ids
    }

    private static func hint(_ suggestions: [String]) -> String {
        suggestions.isEmpty ? "" : "; did you mean \(suggestions.map(\.printable).joined(separator: ", "))?"
    }
}
