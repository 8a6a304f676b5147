import Crypto
import PromisedDomain
import PromisedFormats
import PromisedJournal
import PromisedTestMarks
import Testing

@testable import PromisedWorld

@Suite struct SimulatedUploadTests {
    private static func upload(isPicture: Bool, lies: Bool = false) -> SimulatedUpload {
        SimulatedUpload(number: 1, size: 4_000, isPicture: isPicture, lies: lies, of: 3)
    }

    @Test(.proves("18.18"), arguments: [false, true])
    func `sends a file in chunks and announces its size, unless the phone lies`(isPicture: Bool) {
        let upload = Self.upload(isPicture: isPicture)
        var sent: [UInt8] = []
        while let chunk = upload.chunk(at: Int64(sent.count)) { sent += chunk }
        #expect(sent == upload.bytes && sent.count >= 4_000)
        #expect(upload.announcement.bytes == Int64(sent.count))
        #expect(upload.announcement.sha256 == Array(SHA256.hash(data: sent)))
        #expect(Self.upload(isPicture: isPicture, lies: true).announcement.sha256 != upload.announcement.sha256)
    }

    @Test func `a picture is valid, and has its user in a comment until it is cleaned`() throws {
        let upload = Self.upload(isPicture: true)
        #expect(String(decoding: upload.bytes, as: UTF8.self).contains(Fixtures.token(3)))
        let cleaned = try CleanedImage(cleaning: upload.bytes)
        #expect(!String(decoding: cleaned.bytes, as: UTF8.self).contains(Fixtures.token(3)))
    }

    @Test func `finds two files of one upload, and limits a phone's requests for the offset`() throws {
        var upload = Self.upload(isPicture: false)
        try upload.finish(as: .init(high: 1, low: 1))
        try upload.finish(as: .init(high: 1, low: 1))
        #expect(throws: Violation.self) { try upload.finish(as: .init(high: 1, low: 2)) }
        let resumed = (0..<5).map { _ in upload.resume() }
        #expect(resumed == [true, true, true, false, false])
    }
}
