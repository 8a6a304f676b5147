import Crypto
import PromisedDomain
import PromisedJournal
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct DataExportTests {
    @Test(.proves("17.11"))
    func `an export is pending, then ready for a day, then too early to repeat`() async throws {
        try await ExportWorld.run { world in
            #expect(try await world.exports.request(by: .user(1)) == .working)
            #expect(try await world.exports.request(by: .user(1)) == .working)
            world.clock.advance(by: .minutes(5))
            #expect(try await world.exports.makeNext())
            #expect(try await !world.exports.makeNext())
            guard case .ready(let file) = try await world.exports.request(by: .user(1)) else { throw Missing() }
            #expect(world.ready.all == [file.id])
            #expect(file.kind == .export && file.contentType == "application/zip")
            let bytes = try await world.storage.read(file.id, 0..<file.bytes)
            #expect(file.sha256 == Array(SHA256.hash(data: bytes)))
            #expect(try await world.files.read(file.id, from: 0, limit: 4, by: .user(1)).bytes == [0x50, 0x4B, 3, 4])
            await #expect(throws: Refusal.fileNotFound) {
                try await world.files.read(file.id, from: 0, limit: 4, by: .user(2))
            }
            await world.files.deletions.remove(
                try await world.store.files.deleteUnusedFiles(before: ExportWorld.now + .hours(1))
            )
            let day = ExportWorld.now + .hours(24)
            #expect(try await world.exports.request(by: .user(1)) == .tooEarly(until: day))
            world.clock.advance(to: day)
            #expect(try await world.exports.request(by: .user(1)) == .working)
        }
    }

    @Test func `notifies the user once when it is ready`() async throws {
        try await ExportWorld.run { world in
            _ = try await world.export()
            let orders = world.queue.take(10)
            #expect(orders.count == 1 && orders.first?.userID == .user(1))
            guard case .event(.raised(let notification)) = orders.first?.content else { throw Missing() }
            #expect(notification.topic == .exportReady)
        }
    }

    @Test func `the next export deletes the previous file`() async throws {
        try await ExportWorld.run { world in
            let first = try await world.export()
            world.clock.advance(by: .hours(24))
            let second = try await world.export()
            #expect(try await world.storage.contents().files.keys.sorted() == [second.id])
            #expect(first.id != second.id)
        }
    }

    @Test func `makes requested exports in order, including those of an earlier run`() async throws {
        try await ExportWorld.run { world in
            #expect(try await world.exports.request(by: .user(2)) == .working)
            world.clock.advance(by: .seconds(1))
            let restarted = world.restarted
            try await withThrowingTaskGroup { group in
                group.addTask { await restarted.run() }
                await world.ready.wait { $0.count == 1 }
                let state = try await restarted.request(by: .user(1))
                #expect(state == .working)
                await world.ready.wait { $0.count == 2 }
                group.cancelAll()
            }
            guard case .ready(let file) = try await restarted.request(by: .user(2)) else { throw Missing() }
            #expect(world.ready.all.first == file.id)
        }
    }

    @Test func `an interrupted export leaves no bytes and is made after the next start`() async throws {
        try await ExportWorld.run { world in
            try await world.fillLarge()
            #expect(try await world.exports.request(by: .user(1)) == .working)
            let appended = Signals<Void>()
            world.storage.onAppend = {
                appended.note(())
                // Waits until the worker is cancelled.
                await Signals<Void>().wait { !$0.isEmpty }
            }
            await withTaskGroup { group in
                group.addTask { await world.exports.run() }
                await appended.wait { !$0.isEmpty }
                group.cancelAll()
            }
            #expect(try await world.storage.contents().uploads.isEmpty && world.ready.all.isEmpty)
            #expect(
                try await world.store.files.exportsAtWork() == [PendingExport(of: .user(1), since: ExportWorld.now)]
            )
            world.storage.onAppend = {}
            #expect(try await world.restarted.makeNext())
            #expect(world.ready.all.count == 1)
        }
    }

    @Test func `a sweep spares a growing export and deletes the remains of a crash`() async throws {
        try await ExportWorld.run { world in
            try await world.fillLarge()
            _ = try await world.exports.request(by: .user(1))
            world.storage.onAppend = {
                do {
                    try await world.files.deletions.sweep()
                } catch {
                    Issue.record(error)
                }
            }
            #expect(try await world.exports.makeNext())
            let made = try #require(world.ready.all.first)
            let bytes = try #require(try await world.store.files.file(made)).file.bytes
            try await world.storage.append([1], to: UploadID(high: 1, low: 1 << 63), at: 0)
            world.clock.advance(by: .minutes(10))
            try await world.files.deletions.sweep()
            let contents = try await world.storage.contents()
            #expect(contents.uploads.isEmpty && contents.files[made] == bytes)
        }
    }

    @Test func `an account deleted during an export leaves no file`() async throws {
        try await ExportWorld.run { world in
            try await world.fillLarge()
            _ = try await world.exports.request(by: .user(1))
            world.storage.onAppend = { [world] in
                do {
                    let begun = try await world.store.deletions.beginDeletion(
                        of: .user(1),
                        at: ExportWorld.now,
                        subjectKey: { _ in [] }
                    )
                    if let begun { await world.files.deletions.remove(begun.erasure) }
                } catch {
                    Issue.record(error)
                }
            }
            #expect(try await world.exports.makeNext())
            try await world.expectNothing()
            #expect(world.queue.take(1).isEmpty)
        }
    }

    @Test func `repeats an export after a deletion of its content, behind the others`()
        async throws
    {
        try await ExportWorld.run { world in
            try await world.fill(1, friend: 3, photo: [UInt8](repeating: 7, count: 2_400_000))
            for number in 1...2 as ClosedRange<UInt64> {
                _ = try await world.exports.request(by: .user(number))
                world.clock.advance(by: .seconds(1))
            }
            let isFirst = Signals<Void>()
            world.storage.onAppend = { [world] in
                guard isFirst.all.isEmpty else { return }
                isFirst.note(())
                do {
                    let gone = try await world.store.visits.deleteVisit(.visit(of: 1), of: .user(1))
                    await world.files.deletions.remove(try #require(gone))
                } catch {
                    Issue.record(error)
                }
            }
            #expect(try await world.exports.makeNext())
            // The first attempt left no bytes and sent no notification.
            let contents = try await world.storage.contents()
            #expect(contents.uploads.isEmpty && contents.files.isEmpty && world.ready.all.isEmpty)
            #expect(world.metrics.counts.isEmpty)
            #expect(try await world.store.files.exportsAtWork().map(\.userID) == [.user(2), .user(1)])
            #expect(try await world.exports.makeNext())
            #expect(try await world.exports.makeNext())
            let file = try #require(world.ready.all.last)
            let size = try #require(try await world.storage.contents().files[file])
            let archive = try ExportEntries(try await world.storage.read(file, 0..<size))
            #expect(!archive.contains("Memo of 1") && archive.contains("Favourite of 1"))
            #expect(archive.entries.keys.allSatisfy { !$0.hasPrefix("photos/") })
        }
    }

    @Test(arguments: [FileStorageError.full, .system(code: 5)])
    func `drops an export on a full disk, and the user can repeat it`(
        error: FileStorageError
    ) async throws {
        try await ExportWorld.run { world in
            for isLate in [false, true] {
                #expect(try await world.exports.request(by: .user(1)) == .working)
                if isLate { world.storage.keepFailure = error } else { world.storage.failAppends(with: error) }
                #expect(try await world.exports.makeNext())
                world.storage.keepFailure = nil
                world.storage.failAppends(with: nil)
                try await world.expectNothing()
            }
            _ = try await world.export()
        }
    }

    @Test(.defends("costly-exports"))
    func `starts and continues no export below the reserved free space`() async throws {
        try await ExportWorld.run { world in
            world.storage.free = 1_073_741_823
            await #expect(throws: ApplicationError.self) { try await world.exports.request(by: .user(1)) }
            try await world.expectNothing()
            world.storage.free = 1_073_741_824
            #expect(try await world.exports.request(by: .user(1)) == .working)
            // Not one byte fits.
            #expect(try await world.exports.makeNext())
            try await world.expectNothing()
            world.storage.free = 1_073_741_824 + 65_536
            _ = try await world.export()
            #expect(
                world.metrics.counts == [
                    "promised_exports_total outcome=no-space": 1, "promised_exports_total outcome=failed": 1,
                    "promised_exports_total outcome=finished": 1,
                ]
            )
        }
    }

    @Test(.defends("costly-exports"), arguments: [TimeSpan.minutes(15) - .milliseconds(1), .minutes(15)])
    func `an export can take a quarter of an hour`(span: TimeSpan) async throws {
        try await ExportWorld.run { world in
            try await world.fillLarge()
            _ = try await world.exports.request(by: .user(1))
            let isFirst = Signals<Void>()
            world.storage.onAppend = {
                if isFirst.all.isEmpty { world.clock.advance(by: span) }
                isFirst.note(())
            }
            #expect(try await world.exports.makeNext())
            if span < ExportLimits.longest {
                #expect(world.ready.all.count == 1)
            } else {
                try await world.store.deletePhotos(in: world)
                try await world.expectNothing()
                world.storage.onAppend = {}
                _ = try await world.export()
            }
        }
    }

    @Test func `omits a photo deleted while others are read`() async throws {
        try await ExportWorld.run { world in
            let first = try await world.addPhoto([UInt8](repeating: 1, count: 1_500_000), of: 1, key: "1")
            let second = try await world.addPhoto([UInt8](repeating: 2, count: 1_600_000), of: 1, key: "2")
            _ = try await world.exports.request(by: .user(1))
            world.storage.onAppend = { [world] in
                do {
                    let later = ExportWorld.now + .milliseconds(1)
                    await world.files.deletions.remove(try await world.store.files.deleteUnusedFiles(before: later))
                } catch {
                    Issue.record(error)
                }
            }
            #expect(try await world.exports.makeNext())
            let id = try #require(world.ready.all.first)
            let size = try #require(try await world.storage.contents().files[id])
            let archive = try ExportEntries(try await world.storage.read(id, 0..<size))
            #expect(archive.entries.keys.filter { $0.hasPrefix("photos/") } == ["photos/\(first).jpg"])
            #expect(try await world.store.files.file(second) == nil)
        }
    }

    @Test func `omits only the photo with missing bytes`() async throws {
        try await ExportWorld.run { world in
            let lost = try await world.addPhoto([1, 2, 3], of: 1, key: "1")
            let other = try await world.addPhoto([4, 5, 6], of: 1, key: "2")
            try await world.storage.remove([lost])
            let archive = try await world.entries()
            #expect(archive.entries.keys.filter { $0.hasPrefix("photos/") } == ["photos/\(other).jpg"])
            #expect(archive.entries["account.json"] != nil)
        }
    }

    @Test func `writes an archive in pieces of a few MiB`() async throws {
        try await ExportWorld.run { world in
            for number in 1...8 {
                let bytes = [UInt8](repeating: UInt8(number), count: 1_000_000)
                _ = try await world.addPhoto(bytes, of: 1, key: "\(number)")
            }
            let file = try await world.export()
            #expect(file.bytes > 8_000_000)
            #expect(world.storage.appended.max().map { $0 <= 2_200_000 } == true && world.storage.appended.count >= 4)
        }
    }
}

extension ExportWorld {
    /// Gives user 1 a photo that alone fills a piece.
    fileprivate func fillLarge() async throws {
        _ = try await addPhoto([UInt8](repeating: 7, count: 1_200_000), of: 1)
    }
}

extension Store {
    fileprivate func deletePhotos(in world: ExportWorld) async throws {
        await world.files.deletions.remove(
            try await files.deleteUnusedFiles(before: ExportWorld.now + .milliseconds(1))
        )
    }
}
