import PromisedProtocol
import PromisedSimulation
import PromisedTestMarks
import Testing

/// Random bytes: any outcome but a crash is correct.
@Suite struct NoiseTests {
    @Test(.proves("10.4"), .defends("malformed-frames"), arguments: WireCodec.allCases)
    func `decodes or rejects random input`(codec: WireCodec) {
        var generator = SeededGenerator(seed: 1)
        for length in 0..<1_000 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            expectNoTrap(bytes, codec)
        }
    }

    @Test(.proves("10.4"), arguments: WireCodec.allCases)
    func `decodes or rejects a frame with changed, removed or repeated bytes`(codec: WireCodec) throws {
        var generator = SeededGenerator(seed: 2)
        for request in RequestSamples.all {
            let frame = try codec.encode(WireClientFrame(id: 7, request: request))
            for _ in 0..<50 { expectNoTrap(damaged(frame, using: &generator), codec) }
        }
    }

    @Test(.proves("10.4"), arguments: WireCodec.allCases)
    func `decodes or rejects a truncated frame`(codec: WireCodec) throws {
        for request in RequestSamples.all {
            let frame = try codec.encode(WireClientFrame(id: 7, request: request))
            for length in frame.indices { expectNoTrap(Array(frame.prefix(length)), codec) }
        }
    }

    private func expectNoTrap(_ bytes: [UInt8], _ codec: WireCodec) {
        // A frame that decodes is written again, which must not trap either.
        if let frame = try? codec.decodeClientFrame(bytes) { _ = try? codec.encode(frame) }
        if let frame = try? codec.decodeServerFrame(bytes) { _ = try? codec.encode(frame) }
    }

    private func damaged(_ frame: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = frame
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            guard let index = bytes.indices.randomElement(using: &generator) else { break }
            switch Int.random(in: 0...2, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: index)
            default: bytes.insert(bytes[index], at: index)
            }
        }
        return bytes
    }
}
