import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

@Suite struct UploadMachineTests {
    private func upload(_ offset: Double, chunkBytes: UInt32 = 45_000) -> WireUpload {
        WireUpload.with { ($0.uploadID, $0.offset, $0.chunkBytes) = ("u", offset, chunkBytes) }
    }

    @Test(arguments: [(0 as UInt32, 45_000), (1, 1), (44_999, 44_999), (45_000, 45_000), (45_001, 45_000)])
    func `a chunk has the server's size, at most 45,000 bytes`(chunkBytes: UInt32, count: Int) {
        var machine = UploadMachine(size: 100_000)
        machine.answered(upload(0, chunkBytes: chunkBytes))
        #expect(machine.step == .put(uploadID: "u", 0..<count))
    }

    @Test func `the last chunk has the remaining bytes`() {
        var machine = UploadMachine(size: 100_000)
        machine.answered(upload(90_000))
        #expect(machine.step == .put(uploadID: "u", 90_000..<100_000))
    }

    @Test(arguments: [-1, 0.5, 100_001, .nan, .infinity])
    func `an offset outside the file ends the upload`(offset: Double) {
        var machine = UploadMachine(size: 100_000)
        machine.answered(upload(offset))
        #expect(machine.step == .fail(.unexpectedReply))
    }

    @Test func `asks again while the server checks a complete upload, up to a limit`() {
        var machine = UploadMachine(size: 10)
        for _ in 0..<UploadMachine.futileLimit {
            machine.answered(upload(10))
            #expect(machine.step == .wait(.seconds(1)))
            machine.waited()
            #expect(machine.step == .begin)
        }
        machine.answered(upload(10))
        #expect(machine.step == .fail(.unexpectedReply))
    }

    @Test func `sends a refused chunk again after the wait, at the same offset`() {
        var machine = UploadMachine(size: 10)
        machine.answered(upload(4))
        machine.failed(.refused(WireErrorReply(.limitRate)))
        #expect(machine.step == .wait(.seconds(1)))
        machine.waited()
        #expect(machine.step == .put(uploadID: "u", 4..<10))
    }

    @Test(arguments: [ClientError.cancelled, .closed, .unexpectedReply, .unencodable])
    func `any other failure ends the upload`(error: ClientError) {
        var machine = UploadMachine(size: 10)
        machine.failed(error)
        #expect(machine.step == .fail(error))
    }
}
