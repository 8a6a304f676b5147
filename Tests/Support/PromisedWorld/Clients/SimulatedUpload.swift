internal import Crypto
internal import Foundation
internal import PromisedJournal
internal import PromisedProtocol
internal import SwiftProtobuf

/// A file that a phone sends to the server.
struct SimulatedUpload: Sendable {
    /// The size of a chunk: small, so that a file has several.
    static let chunk = 1_500

    /// Its number in the story.
    let number: Int
    let bytes: [UInt8]
    /// Its announcement, in which a lying phone gives another file's digest.
    let announcement: Upload.Announcement
    /// `true` if the phone has announced the digest of another file.
    let lies: Bool
    /// The resulting file; nil before.
    private(set) var file: FileID?
    /// Its id at the server; empty before the first reply.
    private(set) var uploadID = ""
    private var resumptionsLeft = 3

    /// Creates a file of a person, which contains their token: a GPX file, or a picture with the token in a comment.
    ///
    /// - Parameter size: the size in bytes of its longest part.
    init(number: Int, size: Int, isPicture: Bool, lies: Bool, of person: Int) {
        self.number = number
        self.lies = lies
        bytes = isPicture ? Self.picture(of: person, size) : Self.track(of: person, size)
        announcement = Upload.Announcement(
            key: "file-\(number)",
            kind: isPicture ? .photo : .track,
            bytes: Int64(bytes.count),
            sha256: Array(SHA256.hash(data: lies ? [0] : bytes))
        )
    }

    /// The request that begins or resumes it.
    var beginning: WireRequest {
        .beginUpload(
            .with {
                $0.key = announcement.key
                $0.kind = announcement.kind == .photo ? .photo : .track
                $0.bytes = Double(announcement.bytes)
                $0.sha256 = announcement.sha256.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
            }
        )
    }

    /// The request with the next chunk; nil if the server has all bytes, or has made the file.
    ///
    /// - Throws: two files of one upload.
    mutating func proceed(after reply: WireUpload) throws(Violation) -> WireRequest? {
        uploadID = reply.uploadID
        if reply.hasFile {
            try finish(as: reply.file.fileID.id())
            return nil
        }
        guard let chunk = chunk(at: Int64(reply.offset)) else { return nil }
        return .putChunk(.with { ($0.uploadID, $0.offset, $0.data) = (reply.uploadID, reply.offset, Data(chunk)) })
    }

    /// `true` for a request that begins it, or that has a chunk of it.
    func isMeant(by request: WireRequest) -> Bool {
        switch request {
        case .beginUpload(let begin): begin.key == announcement.key
        case .putChunk(let put): put.uploadID == uploadID
        default: false
        }
    }

    /// The chunk from an offset on; nil at the end.
    func chunk(at offset: Int64) -> [UInt8]? {
        let rest = bytes.dropFirst(Int(offset)).prefix(Self.chunk)
        return rest.isEmpty ? nil : Array(rest)
    }

    /// Handles a refused chunk. Returns `true` if the phone asks for the offset to continue from.
    mutating func resume() -> Bool {
        resumptionsLeft -= 1
        return resumptionsLeft >= 0
    }

    /// Records the file that the server has made. Throws if it has made two.
    mutating func finish(as made: FileID) throws(Violation) {
        if let file, file != made { throw Violation(.once, "two files of one upload") }
        file = made
    }

    private static func track(of person: Int, _ size: Int) -> [UInt8] {
        let start = Array("<gpx><!-- \(Fixtures.token(person)) ".utf8)
        return start + [UInt8](repeating: UInt8(ascii: "x"), count: size) + Array("--></gpx>".utf8)
    }

    /// A grey JPEG (ITU-T T.81 annex B): a comment, a table, the frame and its scan.
    private static func picture(of person: Int, _ size: Int) -> [UInt8] {
        let comment = Array(Fixtures.token(person).utf8)
        let table: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0] + [UInt8](repeating: 0x2A, count: size)
        let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment
        return start + table + frame + scan + [0xFF, 0xD9]
    }
}
