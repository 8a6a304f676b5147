import Foundation
import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct VisitErasureTests {
    private static let coordinate = Coordinate(latitude: 37.556_123_456_789, longitude: 126.972_345_678_912)

    /// The bytes of a visit that must not be found after its deletion.
    private static var traces: [[UInt8]] {
        let coordinates = [coordinate.latitude, coordinate.longitude].map { degrees in
            withUnsafeBytes(of: degrees.bitPattern.bigEndian) { Array($0) }
        }
        return coordinates + ["A memo that nobody finds", "A caption that", "Somebody by name"].map { Array($0.utf8) }
    }

    enum End: CaseIterable { case deleted, edited, beginning, tombstone }

    @Test(.defends("remains-in-files"), arguments: End.allCases)
    func `leaves no deleted visit in the files`(end: End) async throws {
        try await withStore(users: 1...2) { store, directory async throws in
            try await fill(store)
            for trace in Self.traces { #expect(try directory.contains(trace)) }
            switch end {
            case .deleted:
                for number in 1...20 as ClosedRange<UInt64> {
                    #expect(try await store.visits.deleteVisit(.visit(number), of: .user(1)) == [.file(number)])
                }
            case .edited:
                for number in 1...20 as ClosedRange<UInt64> { try await store.edit(.visit(number)) }
            case .beginning:
                let begun = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
                #expect(Set(begun?.erasure.files ?? []) == Set((1...20).map(FileID.file)))
            case .tombstone:
                try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            }
            #expect(try await store.upkeep.truncateLog())
            for trace in Self.traces { #expect(try !directory.contains(trace)) }
            // Another user's visit is still there.
            #expect(try directory.contains(Array("Their own memo".utf8)))
        }
    }

    @Test func `deletes the archive with the visit, and the next cannot start earlier`() async throws {
        try await withStore(users: 1...2) { store, _ async throws in
            try await fill(store)
            for user in [1, 2] as [UInt64] {
                _ = try await store.files.requestExport(of: .user(user), at: .meeting)
                let archive = StoredFile.sample(59 + user, of: .user(user), kind: .export)
                #expect(try await store.finishExport(as: archive, at: .meeting))
            }
            #expect(try await store.visits.deleteVisit(.visit(1), of: .user(1)) == [.file(1), .file(60)])
            #expect(try await store.files.file(.file(60)) == nil)
            #expect(try await store.files.file(.file(61)) != nil)
            let next = Instant.meeting + ExportRule.interval
            #expect(try await store.files.requestExport(of: .user(1), at: .meeting) == .tooEarly(until: next))
        }
    }

    @Test(arguments: [true, false]) func `deletes all visits with the account`(hasBegun: Bool) async throws {
        try await withStore(users: 1...2) { store async throws in
            try await fill(store)
            _ = try await store.arrive(1...2)
            let arrivals = try await store.visits.visits(of: .user(1), seenBy: .user(1), limit: 2).items
            _ = try await store.visits.deleteVisit(arrivals[0].id, of: .user(1))
            let upload = try await store.files.beginUpload(
                .sample(),
                of: .user(1),
                space: FileSpace(),
                free: nil,
                id: .upload(50),
                at: .meeting
            )
            _ = try upload.get()
            _ = try await store.files.requestExport(of: .user(1), at: .meeting)
            #expect(try await store.finishExport(as: .sample(60, kind: .export), at: .meeting))
            _ = try await store.accounts.changeAccount(.user(1), AccountChanges(visitsFromArrivals: false))
            if hasBegun {
                let begun = try #require(
                    try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
                )
                // The first part has room for the visits; the second has the archive and the upload.
                let rest = try await store.deletions.eraseBelongings(of: .user(1))
                #expect(!begun.erasure.isComplete)
                #expect(rest.isComplete)
                let files = Set(begun.erasure.files + rest.files)
                #expect(files == Set(((1...20).map { $0 }) + [60]).mapped(FileID.file))
                #expect(begun.erasure.uploads + rest.uploads == [.upload(50)])
            }
            // The arrivals name a device.
            _ = try await store.deletions.clearTraces(of: .user(1))
            try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            for (table, rows) in [
                ("visit", 1), ("visit_photo", 1), ("companion", 1), ("file", 1), ("visit_mark", 0), ("visit_badge", 0),
                ("upload", 0), ("export", 0),
            ] {
                #expect(try await store.count(table) == rows, "\(table)")
            }
            // A companion of another's visit stays, without a name.
            let theirs = try await store.visits.visit(.visit(30), seenBy: .user(2))
            #expect(theirs?.companions == [.user(.user(1))])
            #expect(try await store.accounts.account(.user(1))?.visitsFromArrivals == true)
            await #expect(throws: StoreError.broken("A visit of a user without an account")) {
                _ = try await store.createVisit(99)
            }
        }
    }

    /// Twenty visits of user 1 with a photo each, and one of user 2 with a photo and user 1 as companion.
    private func fill(_ store: Store) async throws {
        for number in 1...20 as ClosedRange<UInt64> {
            try await store.add([.sample(number)])
            try await store.createVisit(number) { draft in
                draft.moment.place.coordinate = Self.coordinate
                // Longer than a page of the file.
                draft.notes.memo = "A memo that nobody finds" + String(repeating: "가", count: number > 10 ? 1_900 : 9)
                draft.notes.photos = [Photo(fileID: .file(number), caption: "A caption that nobody finds")]
                draft.companions = [.named("Somebody by name")]
            }
        }
        try await store.add([.sample(30, of: .user(2))])
        try await store.createVisit(30, of: .user(2), photos: [30]) { draft in
            draft.notes.memo = "Their own memo"
            draft.companions = [.user(.user(1))]
        }
    }
}

extension Set {
    fileprivate func mapped<Other: Hashable>(_ transform: (Element) -> Other) -> Set<Other> {
        Set<Other>(map(transform))
    }
}

extension Store {
    /// Replaces all texts that ``VisitErasureTests`` searches for.
    fileprivate func edit(_ visit: VisitID) async throws {
        var edit = VisitEdit(version: 1)
        edit.moment = .sample()
        (edit.memo, edit.photos, edit.companions) = ("", [], [])
        _ = try await visits.updateVisit(visit, of: .user(1), edit, at: .meeting).get()
    }
}
