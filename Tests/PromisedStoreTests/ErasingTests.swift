import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// After the reply to a deletion, the data is hidden while rows and files still exist.
@Suite(.timeLimit(.minutes(1))) struct ErasingTests {
    /// More courses with photos than fit into the first part.
    private static let courses: ClosedRange<UInt64> = 1...80

    @Test(.proves("2.21"), .defends("read-while-erasing"))
    func `hides a deleted folder while its courses are erased`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.fill(Self.courses)
            for user in [1, 2, 3] as [UInt64] { #expect(try await store.sees(.user(user), Self.courses) > 0) }
            let erased = try await store.courses.deleteFolder(
                .folder(11),
                of: .user(1),
                withCourses: true,
                at: .meeting
            ).get()
            #expect(!erased.isComplete)
            #expect(try await store.count("course") > 20)
            for user in [1, 2, 3] as [UInt64] { #expect(try await store.sees(.user(user), Self.courses) == 0) }
            #expect(try await store.courses.deleteCourse(.course(80), of: .user(1), at: .meeting) == nil)
            let edit = try await store.courses.updateCourse(
                .course(80),
                of: .user(1),
                CourseEdit(version: 1),
                at: .meeting
            )
            #expect(edit == .failure(.courseNotFound))
            // Another folder of the same title and its courses are as before.
            _ = try await store.createFolder(12, title: "Folder 11").get()
            try await store.createCourse(100, in: 12)
            #expect(try await store.courses.course(.course(100), seenBy: .user(1)) != nil)
            #expect(try await store.upkeep.verify() == [])
            try await store.eraseAll()
            #expect(try await store.count("course") == 1)
            #expect(try await store.count("file") == 0)
        }
    }

    @Test(.proves("2.21"), .defends("read-while-erasing"))
    func `hides a deleted account's data while it is erased`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.fill(Self.courses)
            for number in 1...3 as ClosedRange<UInt64> {
                let audience: Audience = [.onlyMe, .companions, .friends][Int(number) - 1]
                try await store.add([.sample(200 + number)])
                try await store.createVisit(number, photos: [200 + number]) { draft in
                    draft.audience = audience
                    draft.companions = [.user(.user(2)), .user(.user(3))]
                }
            }
            #expect(try await store.visits.visit(.visit(3), seenBy: .user(2)) != nil)
            let begun = try #require(
                try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            )
            #expect(!begun.erasure.isComplete)
            for user in [2, 3] as [UInt64] {
                #expect(try await store.sees(.user(user), Self.courses) == 0)
                for number in 1...3 as ClosedRange<UInt64> {
                    #expect(try await store.visits.visit(.visit(number), seenBy: .user(user)) == nil)
                    #expect(try await store.files.file(.file(200 + number), readableBy: .user(user)) == nil)
                }
                #expect(try await store.visits.visits(of: .user(1), seenBy: .user(user), limit: 9).items == [])
                // Only 2 has accepted a promise with them.
                let profile = try await store.accounts.profile(of: .user(1), seenBy: .user(user))
                let expected: UserCard? = user == 2 ? UserCard.tombstone(of: .user(1)) : nil
                #expect(profile == expected)
                #expect(try await store.accounts.findUser(nicknameKey: "user_1", seenBy: .user(user)) == nil)
            }
            #expect(try await store.accounts.cards(of: [.user(1)])[.user(1)] == .tombstone(of: .user(1)))
            #expect(try await store.upkeep.verify() == [])
            try await store.eraseAll()
            for table in ["course", "visit", "file", "folder", "erasing"] {
                #expect(try await store.count(table) == 0, "\(table)")
            }
        }
    }

    @Test(.proves("2.15"), .defends("read-while-erasing"))
    func `hides the friendships and requests of an account while they are erased`() async throws {
        try await withStore(users: 1...5) { store async throws in
            try await store.fill(Self.courses)
            try await store.befriend(2, 3)
            for (user, other) in [(4, 1), (1, 5)] as [(UInt64, UInt64)] {
                let request = try await store.friendships.changeFriendship(
                    between: .user(user),
                    and: .user(other),
                    at: .meeting
                ) { pair, _ in pair.state = .requested(by: .user(user)) }
                _ = try request.get()
            }
            let begun = try #require(
                try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            )
            #expect(begun.friends == [.user(2), .user(3)] && !begun.erasure.isComplete)
            #expect(try await store.count("friendship") == 5)
            #expect(try await store.friendships.friends(of: .user(2), limit: 9).items.map(\.card.id) == [.user(3)])
            #expect(try await store.friendships.friends(of: .user(2), among: [.user(1), .user(3)]) == [.user(3)])
            #expect(
                try await store.friendships.friendship(between: .user(1), and: .user(2), at: .meeting).state == .none
            )
            #expect(try await store.friendships.friendRequests(of: .user(4)).outgoing.items == [])
            #expect(try await store.friendships.friendRequests(of: .user(5)).incoming.items == [])
            #expect(try await store.promises.account(.user(5), withUnreadAt: .meeting).unread.friendRequests == 0)
            // The limits count only what the user sees.
            for (user, other, friends) in [(2, 4, 1), (4, 5, 0)] as [(UInt64, UInt64, Int)] {
                let expected = Friendship.Counts(mine: friends, theirs: 0, outgoing: 0)
                let found = try await store.friendships.changeFriendship(
                    between: .user(user),
                    and: .user(other),
                    at: .meeting
                ) { _, counts throws(Refusal) in
                    if counts != expected { throw .friendSelf }
                }
                #expect(throws: Never.self) { try found.get() }
            }
            try await store.eraseAll()
            #expect(try await store.count("friendship") == 1)
        }
    }

    @Test(.proves("2.21")) func `hides the remaining visits of a deleted account from companions`() async throws {
        try await withStore(users: 1...2) { store async throws in
            for number in 1...200 as ClosedRange<UInt64> {
                try await store.createVisit(number) { draft in
                    (draft.audience, draft.companions) = (.companions, [.user(.user(2))])
                }
            }
            let begun = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            #expect(begun?.erasure.isComplete == false)
            #expect(try await store.count("visit") > 20)
            for number in 1...200 as ClosedRange<UInt64> {
                #expect(try await store.visits.visit(.visit(number), seenBy: .user(2)) == nil)
            }
            #expect(try await store.visits.visits(of: .user(1), seenBy: .user(2), limit: 9).items == [])
            try await store.eraseAll()
        }
    }

    @Test(.proves("2.21"))
    func `completes a deletion that an earlier version started`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.write { db in try db.run("UPDATE user SET deleting_at = ?", [Instant.meeting]) }
            #expect(try await store.deletions.unfinishedErasures() == [.account(.user(1))])
            _ = try #require(
                try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            )
            #expect(try await store.deletions.unfinishedErasures() == [.account(.user(1))])
            #expect(try await store.deletions.finishDeletion(of: .user(1)).isComplete)
            #expect(try await store.deletions.unfinishedErasures() == [])
            #expect(try await store.accounts.account(.user(1))?.deletedAt == .meeting)
        }
    }
}

extension Store {
    /// Gives user 1 a folder of courses with a photo each, of which friend 2 sees all and 3, by name, some; one is carried
    /// by a promise with both. Sample ids are alike: no user has the number of the folder.
    fileprivate func fill(_ numbers: ClosedRange<UInt64>) async throws {
        for other in 2...3 as ClosedRange<UInt64> { try await befriend(1, other) }
        _ = try await createFolder(11).get()
        for number in numbers {
            try await add([.sample(number)])
            try await createCourse(number, in: 11, photos: [number])
            let people: [UserID] = number.isMultiple(of: 2) ? [.user(2), .user(3)] : []
            let shared = try await courses.shareCourse(
                .course(number),
                of: .user(1),
                with: people.isEmpty ? .friends : .people,
                people: people,
                at: .meeting
            )
            _ = try shared.get()
        }
        try await open(
            .sample().carrying(.course(numbers.upperBound)),
            with: [.accepted(.user(2)), .invited(.user(3))]
        )
    }

    /// The number of ways in which a user can read one of the courses.
    fileprivate func sees(_ user: UserID, _ numbers: ClosedRange<UInt64>) async throws -> Int {
        var count = 0
        for number in numbers {
            let id = CourseID.course(number)
            if try await courses.course(id, seenBy: user) != nil { count += 1 }
            if try await courses.track(of: id, seenBy: user) != nil { count += 1 }
            if try await courses.viewers(of: id, among: [user]) != [] { count += 1 }
            if try await files.file(.file(number), readableBy: user) != nil { count += 1 }
        }
        for set in [.mine(nil), .mine(.folder(11)), .shared(nil), .shared(.user(1))] as [CourseSet] {
            for filter in [CourseFilter(set), CourseFilter(set, near: .meetingPlace)] {
                count += try await courses.courses(filter, seenBy: user, limit: 9).items.count
            }
        }
        count += try await courses.folders(of: user).count
        return count
    }

    /// Erases all that is deleted.
    fileprivate func eraseAll() async throws {
        for erasing in try await deletions.unfinishedErasures() {
            switch erasing {
            case .account(let user):
                while try await !deletions.eraseBelongings(of: user).isComplete {}
                _ = try await deletions.clearTraces(of: user)
                while try await !deletions.finishDeletion(of: user).isComplete {}
            case .folder(let folder): while try await !courses.eraseFolder(folder).isComplete {}
            }
        }
        #expect(try await deletions.unfinishedErasures() == [])
    }
}
