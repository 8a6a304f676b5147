import Crypto
import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct FilesTests {
    @Test(.proves("15.5"), .defends("files-of-others"))
    func `accepts a photo in chunks, removes its position, and lets only its user read it`() async throws {
        try await FilesWorld.run { world in
            let file = try await world.upload(PhotoBytes.withPosition)
            #expect(file.kind == .photo && file.contentType == "image/jpeg")
            #expect(file.width == 16 && file.height == 8 && file.orientation == 6)
            let bytes = try await world.read(file.id)
            #expect(Int64(bytes.count) == file.bytes && file.sha256 == Array(SHA256.hash(data: bytes)))
            #expect(PhotoBytes.withPosition.firstRange(of: PhotoBytes.position) != nil)
            #expect(bytes.firstRange(of: PhotoBytes.position) == nil)
            let contents = try await world.storage.contents()
            #expect(contents.files == [file.id: file.bytes] && contents.uploads.isEmpty)
            #expect(await world.refusal { _ = try await world.read(file.id, by: .user(2)) } == .fileNotFound)
            let outside = await world.refusal {
                _ = try await world.files.read(file.id, from: file.bytes + 1, limit: 1, by: .user(1))
            }
            #expect(outside == .invalid(field: "offset"))
            #expect(await world.refusal { _ = try await world.read(FileID(high: 1, low: 2)) } == .fileNotFound)
        }
    }

    @Test(.proves("file.unreadable"))
    func `reports a file with missing, truncated or irregular bytes as unreadable, also to the operator`() async throws
    {
        try await FilesWorld.run { world in
            let file = try await world.upload(PhotoBytes.withPosition)
            #expect(await world.files.unreadable.last == nil)
            try await world.storage.remove([file.id])
            for _ in 1...2 {
                let refusal = await world.refusal {
                    _ = try await world.files.read(file.id, from: 0, limit: 9, by: .user(1))
                }
                #expect(refusal == .fileUnreadable)
            }
            #expect(await world.files.unreadable.count == 1)
            #expect(await world.files.unreadable.last == file.id)
            let other = await world.refusal { _ = try await world.files.content(of: file.id, .photo, of: .user(1)) }
            #expect(other == .fileUnreadable)
            let unknown = await world.refusal {
                _ = try await world.files.read(file.id, from: 0, limit: 9, by: .user(2))
            }
            #expect(unknown == .fileNotFound)
        }
    }

    @Test(.proves("15.5"), .defends("files-of-others"))
    func `only users who currently see a visit read its photo`() async throws {
        try await FilesWorld.run { world in
            let file = try await world.upload(PhotoBytes.withPosition)
            _ = try await world.store.friendships.changeFriendship(between: .user(1), and: .user(2), at: FilesWorld.now)
            {
                (pair, counts) throws(Refusal) in
                try pair.request(by: .user(1), counts: counts, at: FilesWorld.now)
                try pair.accept(by: .user(2), counts: counts, at: FilesWorld.now)
            }.get()
            let moment = VisitSite(Place(name: "Café", coordinate: .meetingPlace), in: .utc).moment(at: FilesWorld.now)
            let notes = VisitNotes(photos: [Photo(fileID: file.id)])
            let draft = VisitDraft(moment: moment, notes: notes, audience: .friends)
            let id = VisitID(high: 7, low: 7)
            _ = try await world.store.visits.createVisit(
                draft,
                id: id,
                of: .user(1),
                key: "v",
                contentHash: [1],
                at: FilesWorld.now
            ).get()
            #expect(try await world.read(file.id, by: .user(2)).isEmpty == false)
            #expect(await world.refusal { _ = try await world.read(file.id, by: .user(3)) } == .fileNotFound)
            var edit = VisitEdit(version: 1)
            edit.audience = .onlyMe
            _ = try await world.store.visits.updateVisit(id, of: .user(1), edit, at: FilesWorld.now).get()
            #expect(await world.refusal { _ = try await world.read(file.id, by: .user(2)) } == .fileNotFound)
            await world.files.deletions.remove(try #require(try await world.store.visits.deleteVisit(id, of: .user(1))))
            #expect(try await world.storage.contents().files.isEmpty)
        }
    }

    @Test func `deletes the bytes of files replaced by a new export`() async throws {
        try await FilesWorld.run(space: FileSpace(perUser: 100)) { world in
            let first = try await world.files.exports.keep(
                [UInt8](repeating: 1, count: 60),
                "text/plain",
                for: .user(1)
            )
            let second = try await world.files.exports.keep(
                [UInt8](repeating: 2, count: 60),
                "text/plain",
                for: .user(1)
            )
            #expect(try await world.storage.contents().files == [second.id: 60])
            #expect(try await world.store.files.file(first.id) == nil)
        }
    }
}
