import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite struct FixChunkTests {
    @Test(.proves("5.9"), arguments: 1...200 as ClosedRange<UInt64>)
    func `encoding and decoding preserve every bit`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let fixes = (0..<Int.random(in: 1...40, using: &generator)).map { _ in ArchivedFix.random(using: &generator) }
        let chunk = FixChunk(encoding: fixes)
        #expect(chunk.count == fixes.count)
        #expect(try chunk.fixes().map(Bits.init) == Bits.grouped(fixes), "seed \(seed)")
    }

    @Test func `unpacks only the requested devices`() throws {
        let fixes = (1...6 as ClosedRange<UInt32>).map { seq in
            ArchivedFix.sample(
                .sample(seq: seq, at: .meeting, metres: Double(seq)),
                of: .user(UInt64(seq % 2)),
                device: seq < 4 ? "phone" : "watch"
            )
        }
        let wanted = DeviceKey(deviceID: "watch", bootID: "boot")
        let found = try FixChunk(encoding: fixes).fixes { $0 == .user(1) && $1 == wanted }
        #expect(found == [fixes[4]])
    }

    @Test func `an empty chunk is empty`() throws {
        let chunk = FixChunk(encoding: [])
        #expect(chunk.count == 0)
        #expect(try chunk.fixes() == [])
    }

    /// Bytes for a minute of one phone: twelve fixes, the names of the device, the head.
    @Test(arguments: [(7, 300), (15, 460)]) func `a fix needs few bytes`(decimals: Int, limit: Int) {
        let fixes = (0..<12 as Range<Int>).map { number in
            var fix = SettledFix(
                seq: UInt32(number),
                coordinate: Coordinate(latitude: 37.5561234 + Double(number) * 3e-5, longitude: 126.9723456),
                accuracyMetres: 12.5,
                speedMps: 1.34,
                time: .meeting + .seconds(Double(number) * 5),
                receivedAt: .meeting + .seconds(Double(number) * 5 + 0.2)
            )
            if decimals == 7 { fix.coordinate.latitude = (fix.coordinate.latitude * 1e7).rounded() / 1e7 }
            return ArchivedFix.sample(fix)
        }
        let size = FixChunk(encoding: fixes).bytes.count
        #expect(size <= limit, "\(size) bytes")
    }

    @Test func `rejects truncated and changed chunks`() throws {
        var generator = SeededGenerator(seed: 1)
        let fixes = (0..<5).map { _ in ArchivedFix.random(using: &generator) }
        let bytes = FixChunk(encoding: fixes).bytes
        for count in 0..<bytes.count {
            let cut = FixChunk(bytes: Array(bytes.prefix(count)), count: 5)
            #expect(throws: StoreError.self) { try cut.fixes() }
        }
        #expect(throws: StoreError.self) { try FixChunk(bytes: bytes + [0], count: 5).fixes() }
        var future = bytes
        future[0] = 2
        #expect(throws: StoreError.damaged("A chunk of an unknown version")) {
            try FixChunk(bytes: future, count: 5).fixes()
        }
        for _ in 0..<5_000 {
            var changed = bytes
            changed[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            // It may decode as other fixes; it must not read past the end or trap.
            _ = try? FixChunk(bytes: changed, count: 5).fixes()
        }
    }

    @Test func `reads chunks of the first version`() throws {
        let recorded: [UInt8] = [
            1, 1, 0, 0x70, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x80, 5, 112, 104, 111, 110, 101, 4, 98, 111, 111,
            116,
        ]
        let fix = ArchivedFix.sample(
            SettledFix(
                seq: 1,
                coordinate: Coordinate(latitude: 0.0000001, longitude: -0.0000001),
                accuracyMetres: 0.01,
                speedMps: nil,
                time: Instant(milliseconds: 1),
                receivedAt: Instant(milliseconds: 2),
                isMock: true
            )
        )
        var head = recorded.prefix(2)
        head += [0x00, 0x70, 0, 0, 0, 0, 0, 0]
        let body: [UInt8] = [8, 1, 2, 2, 2, 2, 1, 3, 0]
        let bytes = Array(head) + Array(recorded[10...]) + body
        #expect(FixChunk(encoding: [fix]).bytes == bytes)
        #expect(try FixChunk(bytes: bytes, count: 1).fixes() == [fix])
    }

    @Test(
        arguments: [
            // A time, and a delay after it, as they are written: 1 to 10 bytes of seven bits, 0, −1, 1, −2, …
            ([2], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
            ([0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [2]), ([2], [0x84, 0x80, 0x80, 0x80, 0x04]),
        ] as [([UInt8], [UInt8])]
    )
    func `treats impossible times as damage`(time: [UInt8], delay: [UInt8]) {
        let body: [UInt8] = [0, 2] + time + delay + [2, 1, 3, 0]
        let user = [UInt8](repeating: 0, count: 16)
        let bytes: [UInt8] = [1, 1] + user + [0, 0, UInt8(body.count)] + body
        #expect(throws: StoreError.damaged("A time of a fix out of range")) {
            _ = try FixChunk(bytes: bytes, count: 1).fixes()
        }
    }
}

/// A fix as the bits of its numbers, so that NaN equals itself and −0 is not 0.
private struct Bits: Hashable {
    var numbers: [UInt64?]
    var user: UserID
    var device: DeviceKey

    init(_ archived: ArchivedFix) {
        let fix = archived.fix
        numbers = [
            UInt64(fix.seq), fix.coordinate.latitude.bitPattern, fix.coordinate.longitude.bitPattern,
            fix.accuracyMetres?.bitPattern, fix.speedMps?.bitPattern, UInt64(bitPattern: fix.time.milliseconds),
            UInt64(bitPattern: fix.receivedAt.milliseconds), fix.isMock ? 1 : 0, fix.isClockMoved ? 1 : 0,
            fix.isOfOtherClock ? 1 : 0,
        ]
        user = archived.userID
        device = archived.device
    }

    /// The fixes in the order of a chunk: by device, devices as first seen.
    static func grouped(_ fixes: [ArchivedFix]) -> [Bits] {
        var groups: [[ArchivedFix]] = []
        for fix in fixes {
            let index = groups.firstIndex { $0[0].userID == fix.userID && $0[0].device == fix.device }
            if let index { groups[index].append(fix) } else { groups.append([fix]) }
        }
        return groups.joined().map(Bits.init)
    }
}

extension ArchivedFix {
    /// Any fix, ordinary or absurd, of one of a few devices.
    fileprivate static func random(using generator: inout SeededGenerator) -> ArchivedFix {
        let time =
            Bool.random(using: &generator)
            ? Int64.random(in: 0...2_000_000_000_000, using: &generator)
            : Int64.random(in: .min ... .max, using: &generator)
        let fix = SettledFix(
            seq: .random(in: .min ... .max, using: &generator),
            coordinate: Coordinate(latitude: number(using: &generator), longitude: number(using: &generator)),
            accuracyMetres: Bool.random(using: &generator) ? number(using: &generator) : nil,
            speedMps: Bool.random(using: &generator) ? number(using: &generator) : nil,
            time: Instant(milliseconds: time),
            receivedAt: Instant(milliseconds: time &+ .random(in: -1_000...100_000, using: &generator)),
            isMock: Bool.random(using: &generator),
            isClockMoved: Bool.random(using: &generator),
            isOfOtherClock: Bool.random(using: &generator)
        )
        return .sample(
            fix,
            of: .user(.random(in: 1...3, using: &generator)),
            device: ["", "phone", "장치"].randomElement(using: &generator) ?? ""
        )
    }

    private static func number(using generator: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0:
            [0, -0.0, .infinity, .nan, .greatestFiniteMagnitude, -1e-300, 180, -90].randomElement(using: &generator)
                ?? 0
        case 1: Double(bitPattern: generator.next())
        case 2: Double.random(in: -180...180, using: &generator)
        case 3: Double(Int.random(in: -200...20_000, using: &generator)) / 100
        default: Double(Int.random(in: -1_800_000_000...1_800_000_000, using: &generator)) / 1e7
        }
    }
}
