internal import PromisedDomain
internal import PromisedEngine
internal import PromisedStore

/// Whether users may accept another promise (domain §4).
enum PromiseRoom: Hashable {
    /// All have room.
    case free
    /// A user has accepted ``PromiseLimits/participations`` promises that are not over.
    case tooMany
    /// A user would exceed ``PromiseLimits/overlapping``.
    case overlapping

    /// A key of serialisation: requests that need room for the same user or promise run one after the other.
    enum Part: Hashable {
        case promise(PromiseID)
        case user(UserID)
    }

    /// The refusal of a request for another participant or meeting time. The message does not reveal whose limit is
    /// reached.
    static func refusal(field: String = "") -> ApplicationError {
        let most = PromiseLimits.overlapping
        return .refused(
            .promiseLimit,
            field: field,
            message: """
                A participant would be in more than \(most) promises whose windows overlap: leave or move one of them, or \
                choose another time.
                """
        )
    }
}

extension PromiseSessions {
    /// Runs a request by which a user joins a promise, if there is room. Requests that need room for the same user or
    /// promise run one after the other, so that they cannot exceed the limit together.
    ///
    /// - Parameter act: called with `false` if the user has no room; then it throws `promiseLimit`, unless it refuses
    ///   for another reason or adds nobody.
    func withRoom(
        for userID: UserID,
        in id: PromiseID,
        at now: Instant,
        _ act: (_ hasRoom: Bool) async throws -> Void
    ) async throws {
        try await turns.hold([PromiseRoom.Part.promise(id), .user(userID)]) {
            let room = try await room(for: userID, in: id, at: now)
            do {
                try await act(room == .free)
            } catch EngineError.refused(.promiseLimit) where room == .overlapping {
                throw PromiseRoom.refusal()
            }
        }
    }

    private func room(for userID: UserID, in id: PromiseID, at now: Instant) async throws -> PromiseRoom {
        guard try await store.promises.participations(of: userID, at: now) < PromiseLimits.participations else {
            return .tooMany
        }
        guard let window = try await store.promises.window(of: id) else { return .free }
        return try await store.promises.hasRoom(for: [userID], in: window, besides: id) ? .free : .overlapping
    }

    /// Runs a request by which a user may create a promise, after earlier ones of the same user.
    func creating<Value: Sendable>(by owner: UserID, _ act: () async throws -> Value) async throws -> Value {
        try await turns.hold([PromiseRoom.Part.user(owner)], act)
    }

    /// Throws `promiseLimit` if a user has no room for a new promise with this window.
    func requireRoom(for owner: UserID, in window: Range<Instant>) async throws {
        guard try await store.promises.hasRoom(for: [owner], in: window) else {
            throw PromiseRoom.refusal(field: "meetsAt")
        }
    }

    /// Runs a request by which the owner moves a promise. All who have accepted it, and are not being removed, need
    /// room at the new time.
    ///
    /// - Parameter act: called with `false` if any of them has no room.
    func moving(
        _ id: PromiseID,
        by edit: PromiseEdit,
        of userID: UserID,
        _ act: (_ hasRoom: Bool) async throws -> Void
    ) async throws {
        guard let meetsAt = edit.meetsAt else { return try await act(true) }
        try await turns.hold([PromiseRoom.Part.promise(id)]) {
            let view = try await wholeView(of: id)
            guard view.promise.ownerID == userID, view.promise.meetsAt != meetsAt else { return try await act(true) }
            var moved = view.promise
            moved.meetsAt = meetsAt
            let participants = view.members.map(\.participant)
                .filter { $0.membership == .accepted && !edit.remove.contains($0.userID) }
                .map(\.userID).sorted()
            try await turns.hold(participants.map { PromiseRoom.Part.user($0) }) {
                let hasRoom = try await store.promises.hasRoom(for: participants, in: moved.window, besides: id)
                do {
                    try await act(hasRoom)
                } catch EngineError.refused(.promiseLimit) where !hasRoom {
                    throw PromiseRoom.refusal(field: "meetsAt")
                }
            }
        }
    }
}
