import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedSettings

@Suite("Files over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct FileConversationTests {
    private static let nowhere = "01940000-0000-7000-8000-000000000001"

    @Test(.proves("beginUpload", "putChunk", "readFile", "file.not-found"), arguments: WireCodec.allCases)
    func `uploads a file in chunks and downloads it in pieces`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let track = UploadSample.track(points: 3_000)
                let begun = try await ada.client.call(.beginUpload(track.announcement(key: "way")))
                guard case .upload(let first) = begun else { throw ClientError.unexpectedReply }
                #expect(first.offset == 0 && first.chunkBytes == 45_000 && !first.hasFile && first.hasExpiresAt)
                let piece = track.bytes.prefix(45_000)
                let second = try await ada.client.putChunk(uploadID: first.uploadID, offset: 0, data: piece)
                #expect(second.offset == 45_000 && second.uploadID == first.uploadID)
                // The same key continues at the end of the last chunk.
                let file = try await ada.upload(track, key: "way")
                #expect(file.kind == .track && file.contentType == "application/gpx+xml")
                #expect(file.bytes == Double(track.bytes.count) && file.sha256 == track.announcement().sha256)
                #expect(try await ada.read(file.fileID, limit: 50_000) == track.bytes)
                #expect(try await ada.read(file.fileID) == track.bytes)
                let read = WireReadFile.with { $0.fileID = file.fileID }
                #expect(await bea.refusal(.readFile(read)) == .fileNotFound)
                #expect(await bea.refusal(.readFile(.with { $0.fileID = Self.nowhere })) == .fileNotFound)
            }
        }
    }

    @Test(.proves("15.2", "putChunk"), .defends("picture-metadata"))
    func `removes the texts of a picture, and stores its bytes only once`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let file = try await ada.upload(.picture)
                #expect(file.kind == .photo && file.contentType == "image/png" && file.orientation == 1)
                #expect(file.width == 3 && file.height == 2)
                let kept = try await ada.read(file.fileID)
                #expect(Double(kept.count) == file.bytes && kept.count < UploadSample.picture.bytes.count)
                #expect(kept.range(of: UploadSample.position) == nil)
                #expect(try Self.paths(below: world.directory, with: UploadSample.position) == [])
                // Uploading a picture twice creates two files, and deleting one keeps the other.
                let second = try await ada.upload(.picture)
                #expect(second.fileID != file.fileID)
                var visit = WireCreateVisit.sample(at: world.now)
                visit.photos = [.with { $0.fileID = file.fileID }]
                let made = try await ada.client.createVisit(visit)
                try await ada.client.deleteVisit(visitID: made.visitID)
                #expect(await ada.refusal(.readFile(.with { $0.fileID = file.fileID })) == .fileNotFound)
                #expect(try await ada.read(second.fileID) == kept)
            }
        }
    }

    @Test(.proves("beginUpload", "file.too-large", "file.quota", "file.limit"))
    func `rejects impossible uploads`() async throws {
        let small: @Sendable (inout ServerSettings) -> Void = { $0.files.perUser = 1 << 20 }
        try await ServerWorld.with(configure: small) { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                var begin = UploadSample.picture.announcement(key: "1")
                begin.bytes = 5 * 1_048_576 + 1
                #expect(await ada.refusal(.beginUpload(begin)) == .fileTooLarge)
                begin.bytes = 2 * 1_048_576
                #expect(await ada.refusal(.beginUpload(begin)) == .fileQuota)
                begin.kind = .export
                #expect(await ada.refusal(.beginUpload(begin)) == .requestInvalid)
                for key in ["1", "2", "3"] {
                    #expect(await ada.refusal(.beginUpload(UploadSample.picture.announcement(key: key))) == nil)
                }
                #expect(await ada.refusal(.beginUpload(UploadSample.picture.announcement(key: "4"))) == .fileLimit)
                let other = UploadSample.track(points: 9).announcement(key: "1")
                #expect(await ada.refusal(.beginUpload(other)) == .requestKeyReused)
                let chunk = WirePutChunk.with { ($0.uploadID, $0.data) = (Self.nowhere, Data([1])) }
                #expect(await ada.refusal(.putChunk(chunk)) == .fileNotFound)
            }
        }
    }

    @Test(.proves("putChunk", "file.unsupported", "file.mismatch"))
    func `rejects a text as a photo, and a wrong digest restarts the upload`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let text = UploadSample(kind: .photo, bytes: Data("no picture at all".utf8))
                await #expect(throws: ClientError.self) { _ = try await ada.upload(text) }
                var begin = UploadSample.picture.announcement(key: "2")
                begin.sha256 = String(repeating: "0", count: 64)
                guard case .upload(let upload) = try await ada.client.call(.beginUpload(begin)) else {
                    throw ClientError.unexpectedReply
                }
                let bytes = UploadSample.picture.bytes
                let chunk = WirePutChunk.with { ($0.uploadID, $0.data) = (upload.uploadID, bytes) }
                #expect(await ada.refusal(.putChunk(chunk)) == .fileMismatch)
                guard case .upload(let again) = try await ada.client.call(.beginUpload(begin)) else {
                    throw ClientError.unexpectedReply
                }
                #expect(again.offset == 0 && again.uploadID == upload.uploadID)
                let ahead = WirePutChunk.with { ($0.uploadID, $0.offset, $0.data) = (upload.uploadID, 9, bytes) }
                #expect(await ada.refusal(.putChunk(ahead)) == .requestInvalid)
                let unread = WirePutChunk.with { ($0.uploadID, $0.data) = (upload.uploadID, bytes + bytes) }
                #expect(await ada.refusal(.putChunk(unread)) == .requestInvalid)
                let broken = UploadSample(kind: .photo, bytes: bytes.dropLast(3))
                let key = try await ada.client.call(.beginUpload(broken.announcement()))
                guard case .upload(let third) = key else { throw ClientError.unexpectedReply }
                let cut = WirePutChunk.with { ($0.uploadID, $0.data) = (third.uploadID, broken.bytes) }
                #expect(await ada.refusal(.putChunk(cut)) == .fileUnsupported)
            }
        }
    }

    @Test(.proves("file.unsupported"))
    func `reports the kind of a rejected file, distinct from damage`() async throws {
        let heic = Data([0, 0, 0, 24]) + Data("ftypheic\0\0\0\0mif1heic".utf8)
        let cases: [(WireFileKind.Value, Data, String)] = [
            (.photo, heic, "The file is a HEIC picture: use JPEG, PNG or WebP."),
            (.photo, Data("GIF89a".utf8), "The file is a GIF picture: use JPEG, PNG or WebP."),
            (.photo, Data("no picture".utf8), "The file is not a picture: use JPEG, PNG or WebP."),
            (.photo, UploadSample.picture.bytes.dropLast(20), "The picture is cut off: send the whole file."),
            (.track, Data("PK\u{3}\u{4}".utf8), "The file is a ZIP archive: send a GPX file."),
            (.track, Data("%PDF-1.7".utf8), "The file is a PDF document: send a GPX file."),
            (.track, Data([0xFF, 0xFE, 0x3C, 0]), "The file is a text in UTF-16: save it in UTF-8."),
        ]
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                for (kind, bytes, message) in cases {
                    do {
                        _ = try await people[0].upload(UploadSample(kind: kind, bytes: bytes))
                        Issue.record("\(message)")
                    } catch ClientError.refused(let error) {
                        #expect(error.code == ErrorCode.fileUnsupported.rawValue && error.message == message)
                    }
                }
            }
        }
    }

    @Test(.proves("file.unreadable"))
    func `reports a lost file as unreadable, also in the doctor and verify`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let files = [
                    try await ada.upload(.picture), try await ada.upload(.picture), try await ada.upload(.picture),
                ]
                let track = try await ada.upload(.track(points: 90))
                let paths = (files + [track]).map { world.directory + "/files/\($0.fileID)" }
                try await world.administered { admin, _ in
                    let health = try await admin.admin(.checkHealth(WireAdminCheckHealth())).expect(\.health)
                    #expect(health.checks.first { $0.name == "readable-files" }?.state == .ok)
                    #expect(try await admin.admin(.verify(WireAdminVerify())).expect(\.verification).breaches == [])
                }
                // Missing, truncated, and a directory; the track is replaced by a link.
                try FileManager.default.removeItem(atPath: paths[0])
                #expect(truncate(paths[1], 20) == 0)
                for path in paths[2...] { try FileManager.default.removeItem(atPath: path) }
                try FileManager.default.createDirectory(atPath: paths[2], withIntermediateDirectories: false)
                try FileManager.default.createSymbolicLink(atPath: paths[3], withDestinationPath: paths[1])
                for file in files + [track] {
                    #expect(await ada.refusal(.readFile(.with { $0.fileID = file.fileID })) == .fileUnreadable)
                    // Others cannot detect it.
                    #expect(await bea.refusal(.readFile(.with { $0.fileID = file.fileID })) == .fileNotFound)
                }
                let request = WireImportCourse.with { ($0.key, $0.fileID) = ("1", track.fileID) }
                #expect(await ada.refusal(.importCourse(request)) == .fileUnreadable)
                try await world.administered { admin, _ in
                    let health = try await admin.admin(.checkHealth(WireAdminCheckHealth())).expect(\.health)
                    let finding = try #require(health.checks.first { $0.name == "readable-files" })
                    #expect(finding.state == .warning && finding.detail.contains(": 4, the last one \(track.fileID)"))
                    let breaches = try await admin.admin(.verify(WireAdminVerify())).expect(\.verification).breaches
                    let found = Set(breaches.map { "\($0.check) \($0.detail)" })
                    #expect(found.contains("file-missing \(files[0].fileID)"))
                    for file in files[1...] + [track] { #expect(found.contains("file-damaged \(file.fileID)")) }
                }
                try FileManager.default.removeItem(atPath: paths[2])
                try FileManager.default.removeItem(atPath: paths[3])
            }
        }
    }

    @Test(.proves("putChunk", "readFile"), .defends("unanswered-pieces"))
    func `rejects a third unanswered piece of either kind`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let file = try await ada.upload(.track(points: 3_000))
                try await world.devices { connect in
                    let phone = try await connect()
                    try await ada.signIn(on: phone)
                    for id in UInt32(1)...8 {
                        try phone.send(.readFile(.with { ($0.fileID, $0.limit) = (file.fileID, 131_072) }), id: id)
                    }
                    var codes: [UInt32: String] = [:]
                    for _ in 1...8 {
                        let frame = try phone.frame(try await phone.nextReply())
                        if case .error(let error) = frame.content { codes[frame.id] = error.code }
                    }
                    #expect(codes[1] == nil && codes[2] == nil && !codes.isEmpty)
                    #expect(codes.values.allSatisfy { $0 == ErrorCode.limitRate.rawValue })
                    // Once they are answered, the next ones are accepted.
                    let again = try await phone.call(.readFile(.with { $0.fileID = file.fileID }))
                    guard case .fileChunk = again else { throw Device.NoReply() }
                }
            }
        }
    }

    /// The files below a folder that contain some bytes.
    static func paths(below folder: String, with bytes: Data) throws -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        try #require(!paths.isEmpty)
        return paths.filter { path in
            let content = FileManager.default.contents(atPath: "\(folder)/\(path)")
            return content?.range(of: bytes) != nil
        }
    }
}
