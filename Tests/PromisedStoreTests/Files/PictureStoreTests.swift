import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct PictureStoreTests {
    @Test(.proves("2.25", "15.6")) func `a chosen picture stays, and a former one is deleted after a day`() async throws
    {
        try await withStore(users: 1...2) { store async throws in
            for number in 1...3 as ClosedRange<UInt64> { try await store.add(number) }
            #expect(try await store.choose(1) == PictureID(.file(1)))
            #expect(try await store.choose(2) == PictureID(.file(2)))
            #expect(try await store.upkeep.verify() == [])
            let gone = try await store.files.deleteUnusedFiles(before: .meeting + .days(2))
            #expect(Set(gone) == [.file(1), .file(3)])
            #expect(try await store.accounts.cards(of: [.user(1)])[.user(1)]?.picture == PictureID(.file(2)))
            #expect(try await store.accounts.changeAccount(.user(1), AccountChanges(picture: .removed)).picture == nil)
            #expect(try await store.files.deleteUnusedFiles(before: .meeting + .days(2)) == [.file(2)])
        }
    }

    @Test(.proves("2.25")) func `verification finds a picture without its file`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.add(1)
            _ = try await store.choose(1)
            try await store.write { db in try db.run("DELETE FROM file") }
            #expect(try await store.upkeep.verify().map(\.check) == ["picture-kept"])
            _ = try await store.accounts.changeAccount(.user(1), AccountChanges(picture: .removed))
        }
    }

    @Test(.proves("2.25")) func `a picture of another user, or an unknown one, changes nothing`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.add(1, of: .user(2))
            for number in [1, 9] as [UInt64] {
                let changes = AccountChanges(avatar: "cat", picture: .chosen(PictureID(.file(number))))
                #expect(try await store.accounts.changeAccount(.user(1), changes) == .pictureUnknown)
            }
            #expect(try await store.accounts.account(.user(1))?.avatar == "")
        }
    }
}

extension PictureID {
    fileprivate init(_ file: FileID) { self.init(high: file.high, low: file.low) }
}

extension AccountChangeOutcome {
    fileprivate var picture: PictureID? {
        if case .changed(let account) = self { account.picture } else { nil }
    }
}

extension Store {
    fileprivate func add(_ number: UInt64, of user: UserID = .user(1)) async throws {
        let file = StoredFile(
            id: .file(number),
            userID: user,
            kind: .picture,
            contentType: "image/png",
            bytes: 100,
            sha256: [UInt8](repeating: 1, count: 32),
            width: 3,
            height: 2,
            orientation: 1
        )
        try await write { db in try FileRecord.insert(file, at: .meeting, into: db) }
    }

    fileprivate func choose(_ number: UInt64) async throws -> PictureID? {
        let changes = AccountChanges(picture: .chosen(PictureID(.file(number))))
        return try await accounts.changeAccount(.user(1), changes).picture
    }
}
