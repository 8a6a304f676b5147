import Foundation
import Logging
import PromisedConcurrency
import PromisedDomain
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// Backups and checks of the whole database: one at a time, with their progress.
@Suite(.timeLimit(.minutes(1))) struct DatabaseJobTests {
    @Test func `reports a backup in progress until it ends, also by an error`() async throws {
        try await PlaceWorld.run(isStanding: false) { world in
            let folder = FileManager.default.temporaryDirectory.appending(path: "promised-jobs-\(UUID())").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // A test that failed to create it has nothing to remove.
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let backups = Backups(
                store: world.store,
                archive: StoreArchive(
                    store: world.store,
                    cards: UserCardCache(),
                    interval: .seconds(1),
                    fixLimits: FixLimits(),
                    log: world.log.logger(level: .debug)
                ),
                storage: DiskFileStorage(path: folder + "/files"),
                directory: nil,
                log: world.log.logger(level: .debug)
            )
            #expect(backups.job == nil)
            let seen = Guarded<[DatabaseJob?]>([])
            _ = try await backups.backUp(to: folder + "/copy") { path in
                seen.withLock { $0.append(backups.job) }
                return AuditEntry(at: world.clock.now, actor: "ops", action: "backUp", subject: "", detail: path)
            }
            #expect(backups.job == nil)
            let job = try #require(seen.withLock { $0 }.first ?? nil)
            #expect(job.kind == .backUp && (0...1).contains(job.progress))
            // The path exists: the job still ends.
            await #expect(throws: ApplicationError.self) {
                _ = try await backups.backUp(to: folder + "/copy") { _ in
                    AuditEntry(at: world.clock.now, actor: "ops", action: "backUp", subject: "")
                }
            }
            #expect(backups.job == nil)
            let (violations, erasings) = try await backups.verify()
            #expect(violations == [] && erasings == [])
            #expect(backups.job == nil)
        }
    }
}
