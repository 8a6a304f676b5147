import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedSettings

@Suite("Profile pictures over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct PictureConversationTests {
    private static let small = UploadSample(kind: .picture, bytes: UploadSample.picture.bytes)

    private static func choose(_ fileID: String) -> WireRequest {
        .updateMe(.with { $0.pictureFileID = fileID })
    }

    @Test(.proves("2.25", "updateMe", "readFile"), arguments: WireCodec.allCases)
    func `everybody who sees the card sees the picture, and nobody whom its user blocks`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea", "Cem") { ada, bea, cem async throws in
                let promise = try await ada.promise(with: [bea], at: world.now + .hours(2))
                _ = try await bea.client.subscribe(promiseID: promise.promiseID)
                let file = try await ada.upload(Self.small)
                #expect(file.kind == .picture && file.width == 3 && file.height == 2)
                // Uploaded, but not yet chosen: it is the user's own.
                #expect(await bea.refusal(.readFile(.with { $0.fileID = file.fileID })) == .fileNotFound)
                let me = try await ada.client.call(Self.choose(file.fileID)).expect(\.me)
                #expect(me.user.picture == file.fileID)
                #expect(try await bea.client.getPromise(promise.promiseID).participants[0].user.picture == file.fileID)
                #expect(try await cem.client.findUser(nickname: "ada").picture == file.fileID)
                let read = try await cem.read(file.fileID)
                #expect(try await bea.read(file.fileID) == read && read.range(of: UploadSample.position) == nil)
                _ = try await ada.client.blockUser(userID: cem.id)
                #expect(await cem.refusal(.readFile(.with { $0.fileID = file.fileID })) == .fileNotFound)
                // Other changes keep it; an empty id removes it for all others at once.
                let renamed = try await ada.client.call(.updateMe(.sample(avatar: "cat"))).expect(\.me)
                #expect(renamed.user.picture == file.fileID && renamed.user.avatar == "cat")
                let bare = try await ada.client.call(Self.choose("")).expect(\.me)
                #expect(bare.user.picture.isEmpty && bare.user.avatar == "cat")
                #expect(await bea.refusal(.readFile(.with { $0.fileID = file.fileID })) == .fileNotFound)
            }
        }
    }

    @Test(.proves("2.25", "file.too-large", "file.not-found"))
    func `takes a small picture of one's own, and nothing else`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let large = UploadSample(kind: .picture, bytes: Data(count: 65_537))
                #expect(await ada.refusal(.beginUpload(large.announcement())) == .fileTooLarge)
                let photo = try await ada.upload(.picture)
                let foreign = try await bea.upload(Self.small)
                for id in [photo.fileID, foreign.fileID, "01940000-0000-7000-8000-000000000001"] {
                    let error = try #require(await ada.error(Self.choose(id)))
                    #expect(error.code == ErrorCode.fileNotFound.rawValue && error.field == "pictureFileId")
                }
                let error = try #require(await ada.error(Self.choose("x")))
                #expect(error.code == ErrorCode.requestInvalid.rawValue && error.field == "pictureFileId")
                // A refused picture changes nothing else, a picture is no photo of a visit, and one can be chosen again.
                var request = WireUpdateMe.sample(avatar: "cat")
                request.pictureFileID = photo.fileID
                #expect(await ada.refusal(.updateMe(request)) == .fileNotFound)
                #expect(try await ada.me().user.avatar.isEmpty)
                let own = try await ada.upload(Self.small)
                var visit = WireCreateVisit.sample(at: world.now)
                visit.photos = [.with { $0.fileID = own.fileID }]
                #expect(await ada.refusal(.createVisit(visit)) == .fileNotFound)
                for _ in 1...2 { #expect(await ada.refusal(Self.choose(own.fileID)) == nil) }
                let next = try await ada.upload(Self.small)
                for id in [next.fileID, own.fileID] { #expect(await ada.refusal(Self.choose(id)) == nil) }
                #expect(try await ada.me().user.picture == own.fileID)
            }
        }
    }

    @Test(.proves("2.25", "2.21")) func `the picture is gone with the account`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let promise = try await bea.promise(with: [], at: world.now + .hours(2))
                try await bea.befriend(ada)
                let file = try await ada.upload(Self.small)
                _ = try await ada.client.call(Self.choose(file.fileID))
                #expect(try await bea.client.findUser(nickname: "ada").picture == file.fileID)
                try await ada.client.deleteAccount(password: ada.password)
                #expect(await bea.refusal(.readFile(.with { $0.fileID = file.fileID })) == .fileNotFound)
                #expect(try await bea.client.getPromise(promise.promiseID).participants.count == 1)
            }
        }
    }
}
