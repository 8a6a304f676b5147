import Foundation
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedStore

@testable import PromisedAccess
@testable import PromisedSettings

extension ServerWorld {
    /// Runs a server on which users sign up; after its end, runs `seed` on its store, then `body` against a new server
    /// on the same data, with a signed-in device for each of them.
    static func seeded(
        _ names: [String],
        configure: (inout ServerSettings) -> Void = { _ in },
        seed: (Store, [UserID]) async throws -> Void,
        body: @Sendable (ServerWorld, [Device]) async throws -> Void
    ) async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        try await with(directory: directory) { world in
            try await world.devices { connect in
                for name in names { _ = try await connect().signUp(name) }
            }
        }
        let store = try await Store.open(directory: directory)
        try await seed(store, try await store.users(names))
        try await store.close()
        try await with(directory: directory, configure: configure) { world in
            try await world.devices { connect in
                var devices: [Device] = []
                for name in names {
                    let device = try await connect()
                    _ = try await device.call(.signIn(.sample("\(name)@example.org", "correct horse battery")))
                    devices.append(device)
                }
                try await body(world, devices)
            }
        }
    }
}

extension Device {
    /// Signs a user up; the password is that of `WireSignUp.sample`.
    ///
    /// - Returns: the session.
    func signUp(_ name: String) async throws -> WireSession {
        guard case .session(let session) = try await call(.signUp(.sample("\(name)@example.org", name))) else {
            throw NoReply()
        }
        return session
    }
}

extension Store {
    /// The ids of users by their nicknames.
    func users(_ names: [String]) async throws -> [UserID] {
        var users: [UserID] = []
        for name in names {
            guard let card = try await accounts.user(nicknameKey: Nickname.key(for: name)) else {
                throw Device.NoReply()
            }
            users.append(card.id)
        }
        return users
    }

    /// Creates accounts without sign-in.
    ///
    /// - Returns: their ids.
    func fill(_ count: Int) async throws -> [UserID] {
        let users = (1...count).map { UserID(high: 0x0194_0000_0000_7000, low: 0x8000_0000_0000_0000 + UInt64($0)) }
        try await withThrowingTaskGroup { group in
            for (index, user) in users.enumerated() {
                group.addTask { _ = try await self.accounts.createUser(.filler(index, user)) }
            }
            try await group.waitForAll()
        }
        return users
    }

    /// Lets each of the users send a request, which the other accepts if they become friends.
    func connect(_ user: UserID, to others: some Sequence<UserID>, asFriends: Bool) async throws {
        let now = ServerWorld.start
        try await withThrowingTaskGroup { group in
            for other in others {
                group.addTask {
                    _ = try await self.friendships.changeFriendship(between: user, and: other, at: now) {
                        pair,
                        counts throws(Refusal) in
                        try pair.request(by: user, counts: counts, at: now)
                        if asFriends { try pair.accept(by: other, counts: counts, at: now) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

extension NewAccount {
    /// An account without a valid password.
    fileprivate static func filler(_ number: Int, _ id: UserID) -> NewAccount {
        NewAccount(
            id: id,
            email: "filler\(number)@example.org",
            emailKey: "filler\(number)@example.org",
            nickname: "filler\(number)",
            nicknameKey: "filler\(number)",
            passwordHash: "none",
            locale: "en",
            timeZone: "UTC",
            createdAt: ServerWorld.start
        )
    }
}
