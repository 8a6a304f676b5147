import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// The names of a notification's subject as its user may see them.
@Suite(.timeLimit(.minutes(1))) struct NotificationNamesTests {
    private static let promise = Promise.sample(owner: .user(2))
    private static let ofPromise = NotificationNames(title: promise.title, place: promise.place.name)

    @Test(
        .proves("14.6"),
        arguments: [
            ("invited", true), ("accepted", true), ("declined", false), ("left", false), ("removed", false),
        ]
    )
    func `names a promise to its participants alone`(membership: String, isNamed: Bool) async throws {
        try await withStore(users: 1...3) { store async throws in
            _ = try await store.open(Self.promise, with: [.invited(.user(1))])
            try await store.write { db in
                try db.run("UPDATE participant SET membership = ? WHERE user_id = ?", [membership, UserID.user(1)])
            }
            let names = try await store.names(.nudged(Self.promise.id))
            #expect(names == (isNamed ? Self.ofPromise : NotificationNames()))
            #expect(try await store.names(.nudged(Self.promise.id), for: .user(3)) == NotificationNames())
        }
    }

    @Test(.proves("14.6")) func `names a promise to a former participant with a row in its result`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.finish(Self.promise, rows: [.sample(.user(1), .noShow), .sample(.user(2), .noShow)])
            try await store.write { db in
                try db.run("UPDATE participant SET membership = 'left' WHERE user_id = ?", [UserID.user(1)])
            }
            #expect(try await store.names(.resultFinal(Self.promise.id)) == Self.ofPromise)
            // As the result has it, for the verification that follows.
            try await store.write { db in
                try db.run("UPDATE participant SET membership = 'accepted' WHERE user_id = ?", [UserID.user(1)])
            }
        }
    }

    @Test(.proves("14.6")) func `names a visit by its place to its user alone`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let visit = try await store.createVisit(1) { $0.notes.title = "Tea" }
            let names = NotificationNames(title: "Tea", place: visit.moment.place.name)
            #expect(try await store.names(.visitMade(visit.id)) == names)
            #expect(try await store.names(.visitMade(visit.id), for: .user(2)) == NotificationNames())
        }
    }

    @Test(.proves("14.6")) func `names a course to those with whom it is shared`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.befriend(1, 2)
            let course = try await store.createCourse(1, of: .user(2))
            try await store.share(1, of: .user(2), with: .people, [1])
            #expect(try await store.names(.courseShared(.course(1))).title == course.notes.title)
            #expect(try await store.names(.courseShared(.course(1)), for: .user(3)) == NotificationNames())
        }
    }

    @Test(.proves("14.6")) func `users and the account have no names, unknown subjects neither`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let topics: [NotificationTopic] = [
                .friendRequested(.user(2)), .exportReady, .trackingStarted(PromiseID(high: 9, low: 9)),
                .visitMade(.visit(9)), .recordingInterrupted(RecordingID(high: 9, low: 9)), .courseShared(.course(9)),
            ]
            for topic in topics { #expect(try await store.names(topic) == NotificationNames()) }
        }
    }
}

extension Store {
    fileprivate func names(
        _ topic: NotificationTopic,
        for user: UserID = .user(1)
    ) async throws -> NotificationNames {
        let notification = UserNotification(id: NotificationID(high: 9, low: 1), at: .meeting, topic: topic)
        return try #require(try await notifications.names(of: [(user, notification)])[notification.id])
    }
}
