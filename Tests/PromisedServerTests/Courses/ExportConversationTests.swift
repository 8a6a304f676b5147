import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedSettings

@Suite("Exports over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct ExportConversationTests {
    @Test(.proves("exportMyData", "exportReady"), arguments: WireCodec.allCases)
    func `makes an archive once a day, notifies and serves it`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                try await ada.befriend(bea)
                let visit = WireCreateVisit.sample(at: world.now, title: "A title of Ada's")
                _ = try await ada.client.createVisit(visit)
                _ = try await bea.client.createVisit(.sample(at: world.now, title: "A title of Bea's"))
                let begun = try await ada.client.exportMyData()
                #expect(begun.state == .working || begun.state == .ready)
                await ada.wait { $0.contains { $0.what?.exportedFileID != nil } }
                let ready = try await ada.client.exportMyData()
                #expect(ready.state == .ready && ready.file.contentType == "application/zip")
                #expect(ada.received.compactMap { $0.what?.exportedFileID } == [ready.file.fileID])
                let archive = try await ada.read(ready.file.fileID)
                #expect(archive.prefix(4) == Data("PK\u{3}\u{4}".utf8) && Double(archive.count) == ready.file.bytes)
                #expect(archive.range(of: Data("A title of Ada's".utf8)) != nil)
                #expect(archive.range(of: Data("A title of Bea's".utf8)) == nil)
                #expect(archive.range(of: Data(bea.email.utf8)) == nil)
                let read = WireRequest.readFile(.with { $0.fileID = ready.file.fileID })
                #expect(await bea.refusal(read) == .fileNotFound)
            }
        }
    }
}

extension WireEvent.OneOf_What {
    fileprivate var exportedFileID: String? {
        if case .exportReady(let ready) = self { ready.file.fileID } else { nil }
    }
}
