import Foundation
import PromisedClient
import PromisedDomain
import PromisedFormats
import PromisedJournal
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

@Suite("Folders over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct FolderConversationTests {
    private static let patient: @Sendable (inout ServerSettings) -> Void = { settings in
        (settings.limits.requestRate, settings.limits.requestBurst) = (1_000, 1_000)
    }

    @Test(
        .proves("createFolder", "updateFolder", "deleteFolder", "listFolders", "folder.not-found"),
        .proves("folder.title-taken", "folder.not-empty", "course.stale-version"),
        arguments: WireCodec.allCases
    )
    func `creates folders once, renames, lists and deletes them`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let rides = try await ada.client.createFolder(key: "1", title: "Rides", emoji: "🚲")
                #expect(rides.version == 1 && rides.title == "Rides" && rides.emoji == "🚲" && rides.courses == 0)
                #expect(try await ada.client.createFolder(key: "1", title: "Rides", emoji: "🚲") == rides)
                let other = WireCreateFolder.with { ($0.key, $0.title) = ("1", "Other") }
                #expect(await ada.refusal(.createFolder(other)) == .requestKeyReused)
                #expect(try await ada.client.createFolder(key: "2").title == "New folder")
                let taken = WireCreateFolder.with { ($0.key, $0.title) = ("3", "RIDES") }
                #expect(await ada.refusal(.createFolder(taken)) == .folderTitleTaken)
                #expect(try await bea.client.createFolder(key: "1", title: "Rides").folderID != rides.folderID)
                let walks = try await ada.client.updateFolder(folderID: rides.folderID, version: 1, title: "Walks")
                #expect(walks.version == 2 && walks.title == "Walks" && walks.emoji == "🚲")
                let stale = WireUpdateFolder.with { ($0.folderID, $0.version) = (rides.folderID, 1) }
                #expect(await ada.refusal(.updateFolder(stale)) == .courseStaleVersion)
                let named = WireUpdateFolder.with {
                    ($0.folderID, $0.version, $0.title) = (rides.folderID, 2, "New folder")
                }
                #expect(await ada.refusal(.updateFolder(named)) == .folderTitleTaken)
                #expect(await bea.refusal(.updateFolder(stale)) == .folderNotFound)
                _ = try await ada.course(in: rides.folderID)
                #expect(try await ada.client.listFolders().folders.map(\.title) == ["Walks", "New folder"])
                let full = WireDeleteFolder.with { $0.folderID = rides.folderID }
                #expect(await bea.refusal(.deleteFolder(full)) == .folderNotFound)
                #expect(await ada.refusal(.deleteFolder(full)) == .folderNotEmpty)
                try await ada.client.deleteFolder(folderID: rides.folderID, withCourses: true)
                #expect(try await ada.client.listFolders().folders.map(\.title) == ["New folder"])
                #expect(try await ada.client.listCourses(list: .mine).courses.isEmpty)
            }
        }
    }

    @Test(.proves("folder.limit")) func `a user has at most 200 folders`() async throws {
        try await ServerWorld.with(configure: Self.patient) { world in
            try await world.with("Ada") { people in
                for number in 1...CourseLimits.folders { _ = try await people[0].client.createFolder(key: "\(number)") }
                #expect(await people[0].refusal(.createFolder(.with { $0.key = "more" })) == .folderLimit)
            }
        }
    }
}
