import PromisedAccess
import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct FileDeletionsTests {
    @Test(.proves("15.6"), .defends("endless-uploads"))
    func `sweeps files without references after a day, uploads after an hour`() async throws {
        try await FilesWorld.run { world in
            let file = try await world.upload(PhotoBytes.withPosition)
            let upload = try await world.files.uploads.begin(.of([1, 2], .track, key: "2"), of: .user(1)).upload
            _ = try await world.files.uploads.put([1], at: 0, into: upload.id, of: .user(1))
            var generator = RandomSource.system
            let stray = FileID(at: FilesWorld.now, using: &generator)
            try await world.storage.keep([1], as: stray)
            try await world.files.deletions.sweep()
            #expect(try await world.storage.contents().files.count == 2)
            world.clock.advance(by: .hours(1) + .milliseconds(1))
            try await world.files.deletions.sweep()
            var contents = try await world.storage.contents()
            #expect(contents.files == [file.id: file.bytes] && contents.uploads.isEmpty)
            world.clock.advance(by: .hours(23))
            try await world.files.deletions.sweep()
            contents = try await world.storage.contents()
            #expect(contents == FileStorageContents())
            #expect(await world.refusal { _ = try await world.read(file.id) } == .fileNotFound)
        }
    }

    @Test func `sweeps incomplete files of a crash after an hour`() async throws {
        try await FilesWorld.run { world in
            var generator = RandomSource.system
            let draft = FileID(at: FilesWorld.now, using: &generator)
            world.storage.drafts = [draft]
            world.clock.advance(by: .hours(1))
            try await world.files.deletions.sweep()
            #expect(world.storage.drafts == [draft])
            world.clock.advance(by: .minutes(10))
            try await world.files.deletions.sweep()
            #expect(world.storage.drafts == [])
        }
    }
}
