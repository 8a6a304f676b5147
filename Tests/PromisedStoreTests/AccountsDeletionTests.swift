import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct AccountsDeletionTests {
    static let session = SignInID(high: 1, low: 1)

    @Test(.proves("2.21"))
    func `starting a deletion removes sessions, password and friendships, and is listed until it ends`() async throws {
        try await withStore(users: 1...4) { store async throws in
            try await store.openSession(of: .user(1))
            for other in [2, 3] as [UInt64] { try await store.befriend(1, other) }
            _ = try await store.friendships.block(.user(4), by: .user(1), at: .meeting)
            #expect(
                try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })?.friends
                    == [
                        .user(2), .user(3),
                    ]
            )
            #expect(try await store.deletions.unfinishedErasures() == [.account(.user(1))])
            #expect(try await store.accounts.authSession(Self.session) == nil)
            #expect(try await store.showToken() == .unknown)
            #expect(try await store.accounts.credential(emailKey: "user1@example.org") == nil)
            #expect(try await store.friendships.friends(of: .user(2), among: [.user(1)]) == [])
            #expect(try await store.count("friendship") == 0)
            // The account no longer identifies its user.
            let account = try #require(try await store.accounts.account(.user(1)))
            #expect(account.deletedAt == .meeting && !account.isUsable && account.card == .tombstone(of: .user(1)))
            #expect(
                try await store.friendships.changeFriendship(between: .user(2), and: .user(1), at: .meeting) { _, _ in }
                    == .failure(.userNotFound)
            )
            // Again, it has begun.
            #expect(try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] }) == nil)
            #expect(try await store.deletions.beginDeletion(of: .user(9), at: .meeting, subjectKey: { _ in [] }) == nil)
            try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            #expect(try await store.deletions.unfinishedErasures() == [])
        }
    }

    @Test(.proves("2.15"), arguments: [1, 2, 3] as [UInt64])
    func `deletes friendships for either order of the ids`(gone: UInt64) async throws {
        try await withStore(users: 1...3) { store async throws in
            for other in [1, 2, 3] as [UInt64] where other != gone { try await store.befriend(gone, other) }
            _ = try await store.deletions.beginDeletion(of: .user(gone), at: .meeting, subjectKey: { _ in [] })
            #expect(try await store.count("friendship") == 0)
        }
    }

    @Test func `rejects a pending sign-in`() async throws {
        try await withStore(users: 1...2) { store async throws in
            _ = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            #expect(try await !store.openSession(of: .user(1)))
            #expect(try await store.accounts.disable(.user(2), at: .meeting))
            #expect(try await !store.openSession(of: .user(2)))
            #expect(try await store.count("auth_session") == 0)
        }
    }

    @Test(.proves("2.14", "2.15"), arguments: [true, false])
    func `a tombstone has no personal field, but keeps the rows of results`(hasBegun: Bool) async throws {
        try await withStore(users: 1...3) { store async throws in
            let promise = Promise.sample(owner: .user(1))
            try await store.finish(
                promise,
                rows: [.sample(.user(1), .early, seconds: -5, rank: 1), .sample(.user(2), .noShow)]
            )
            let result = try await store.promises.result(of: promise.id)
            try await store.openSession(of: .user(1))
            try await store.befriend(1, 2)
            try await store.befriend(3, 1)
            _ = try await store.accounts.changeAccount(.user(1), AccountChanges(avatar: "cat"))
            if hasBegun {
                _ = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            }
            #expect(try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] }))
            let account = try #require(try await store.accounts.account(.user(1)))
            #expect(account.email == nil && account.avatar == "" && account.locale == "" && account.timeZone == "")
            #expect(account.deletedAt == .meeting && account.deletingAt == nil)
            #expect(account.card == UserCard(id: .user(1), nickname: "deleted user", isDeleted: true))
            for table in ["auth_session", "refresh_token", "friendship", "idempotency_key"] {
                #expect(try await store.count(table) == 0, "\(table)")
            }
            #expect(try await store.count("credential") == 2)
            #expect(try await store.promises.result(of: promise.id) == result)
            #expect(try await store.accounts.statistics(of: .user(1)).early == 1)
            // Once; then address and nickname are free again.
            #expect(try await !store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] }))
            var again = NewAccount.sample(1)
            again.id = .user(8)
            #expect(try await store.accounts.createUser(again) == .created)
        }
    }

    @Test(.proves("2.15")) func `deletes a large account in parts, each of which leaves a consistent database`()
        async throws
    {
        try await withStore(users: 1...3) { store async throws in
            try await store.fillBelongings()
            let begun = try #require(
                try await store.deletions.beginDeletion(of: .user(2), at: .meeting, subjectKey: { _ in [] })
            )
            #expect(!begun.erasure.isComplete && begun.friends == [.user(1), .user(3)])
            #expect(try await store.upkeep.verify() == [])
            var parts = [begun.erasure]
            while parts.last?.isComplete == false {
                parts.append(try await store.deletions.eraseBelongings(of: .user(2)))
                #expect(try await store.upkeep.verify() == [])
            }
            #expect(parts.count > 3)
            #expect(parts.flatMap(\.files).sorted() == (1...42).map { .file($0) })
            #expect(parts.flatMap(\.uploads) == [.upload(50)])
            try await store.expectNoBelongings()
            #expect(try await store.deletions.unfinishedErasures() == [.account(.user(2))])
            #expect(try await store.deletions.eraseBelongings(of: .user(2)) == Erasure())
            #expect(try await store.deletions.finishDeletion(of: .user(2)) == Erasure())
            #expect(try await store.deletions.unfinishedErasures() == [])
        }
    }

    @Test(.proves("2.15")) func `creates a tombstone only after everything else was deleted`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.fillBelongings()
            #expect(try await store.deletions.makeTombstone(of: .user(2), at: .meeting, subjectKey: { _ in [] }))
            try await store.expectNoBelongings()
            #expect(try await store.accounts.account(.user(2))?.deletedAt == .meeting)
            #expect(try await store.upkeep.verify() == [])
        }
    }

    @Test(.proves("2.14"))
    func `a tombstone has no status in any promise, even after a late write of a session`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let promise = Promise.sample(owner: .user(2))
            var shown = Participant.accepted(.user(1))
            (shown.statusText, shown.emoji) = ("On the bus", "🚌")
            let epoch = try await store.open(promise, with: [shown])
            #expect(try await store.statuses() == ["On the bus🚌"])
            try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            #expect(try await store.statuses() == [])
            // An excuse writes the participant as the session knows them.
            var commit = SessionCommit(promiseID: promise.id)
            shown.excusedReason = "Ill"
            commit.participants = [shown]
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            #expect(try await store.statuses() == [])
            let kept = try await store.sessions.snapshot(of: promise.id, withFixes: false)
            #expect(kept?.participants.last?.excusedReason == "Ill")
        }
    }

    @Test func `lists unfinished promises of a deleted account by meeting time`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let now = Instant.meeting
            func promise(_ number: UInt64, at hours: Int64) -> Promise {
                .sample(number: number, owner: .user(2), meetsAt: now + .hours(hours))
            }
            try await store.open(promise(1, at: 5), with: [.accepted(.user(1))])
            try await store.open(promise(2, at: 2), with: [.invited(.user(1))])
            try await store.open(promise(3, at: 3), with: [.declined(.user(1))])
            try await store.open(promise(4, at: 4), with: [.left(.user(1), at: now)])
            try await store.open(.sample(number: 5, owner: .user(1), meetsAt: now + .hours(9)))
            // Settling has a millisecond left, and ends now.
            let edge = Promise.sample(
                number: 6,
                owner: .user(2),
                meetsAt: now - .hours(3) - .minutes(15) + .milliseconds(1)
            )
            try await store.open(edge, with: [.accepted(.user(1))])
            try await store.open(
                .sample(number: 7, owner: .user(2), meetsAt: now - .hours(3) - .minutes(15)),
                with: [.accepted(.user(1))]
            )
            var cancelled = promise(8, at: 1)
            cancelled.cancelledAt = now
            try await store.open(cancelled, with: [.accepted(.user(1))])
            let open = try await store.deletions.openParts(of: .user(1), at: now)
            #expect(open == [6, 2, 1, 5].map { PromiseID(high: 0x7000, low: 0x8000_0000_0000_0000 | $0) })
        }
    }

    @Test func `disabling revokes sessions, and enabling restores none`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.openSession(of: .user(1))
            #expect(try await store.accounts.disable(.user(1), at: .meeting))
            #expect(try await !store.accounts.disable(.user(1), at: .meeting))
            #expect(try await !store.accounts.disable(.user(9), at: .meeting))
            #expect(try await store.accounts.account(.user(1))?.isUsable == false)
            #expect(try await store.accounts.authSession(Self.session)?.revokedAt == .meeting)
            #expect(try await store.accounts.enable(.user(1)))
            #expect(try await !store.accounts.enable(.user(1)))
            #expect(try await store.accounts.account(.user(1))?.isUsable == true)
            #expect(try await store.accounts.authSession(Self.session)?.revokedAt == .meeting)
        }
    }
}

extension Store {
    /// Begins a session whose token has the hash `[number]`.
    @discardableResult
    func openSession(_ number: UInt64 = 1, of user: UserID) async throws -> Bool {
        try await accounts.createAuthSession(
            AuthSession(id: SignInID(high: 1, low: number), userID: user, createdAt: .meeting),
            refreshHash: RefreshHash([UInt8(number)]),
            refreshExpiresAt: .meeting + .days(1),
            limit: 50
        ) != nil
    }

    /// Presents the token of session 1.
    func showToken() async throws -> RefreshOutcome {
        try await accounts.rotateRefreshToken(
            RefreshHash([1]),
            to: RefreshHash([50]),
            newExpiry: .meeting + .days(2),
            now: .meeting
        )
    }

    /// How many rows a table has.
    func count(_ table: String) async throws -> Int {
        try await read { db in try db.number("SELECT count(*) FROM \(table)", named: [:]) }
    }
}

extension Store {
    /// The statuses of all participants, of all promises.
    fileprivate func statuses() async throws -> [String] {
        try await read { db in
            try db.rows("SELECT status_text || emoji AS shown FROM participant WHERE status_text <> '' OR emoji <> ''")
                .map { try $0.value("shown") }
        }
    }
}

extension Store {
    /// Gives user 2 more than fits into a part of a deletion, and a friend on each side.
    fileprivate func fillBelongings() async throws {
        let user = UserID.user(2)
        for other in [1, 3] as [UInt64] { try await befriend(other, 2) }
        try await add((1...40).map { .sample($0, of: user) } + [.sample(41, of: user, kind: .track)])
        for number in 1...20 as ClosedRange<UInt64> {
            _ = try await createVisit(number, of: user, photos: [number])
            _ = try await createCourse(number, of: user, photos: [number + 20])
            var shown = Participant.accepted(user)
            shown.statusText = "On the bus"
            try await open(.sample(number: number, owner: .user(1)), with: [shown])
        }
        _ = try await files.requestExport(of: user, at: .meeting)
        #expect(try await finishExport(as: .sample(42, of: user, kind: .export), at: .meeting))
        let space = FileSpace()
        _ = try await files.beginUpload(.sample(), of: user, space: space, free: nil, id: .upload(50), at: .meeting)
            .get()
        for number in 1...3 as ClosedRange<UInt64> { _ = try await start(number, of: user).get() }
        try await write { db in
            try db.run(
                """
                WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 3000)
                INSERT INTO idempotency_key (owner_id, key, kind, subject_id, content_hash, created_at)
                SELECT ?, 'more ' || n, 'promise', zeroblob(16), x'00', ? FROM number
                """,
                [user, Instant.meeting]
            )
        }
    }

    fileprivate func expectNoBelongings() async throws {
        for table in [
            "visit", "visit_photo", "course", "course_track", "folder", "file", "upload", "export", "recording",
        ] {
            #expect(try await count(table) == 0, "\(table)")
        }
        #expect(try await statuses() == [])
        let keys = try await read { db in
            try db.number(
                "SELECT count(*) FROM idempotency_key WHERE owner_id = :user",
                named: ["user": UserID.user(2)]
            )
        }
        #expect(keys == 0)
    }
}
