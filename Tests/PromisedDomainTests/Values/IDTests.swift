import Foundation
import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

@Suite struct IDTests {
    static let id = PromiseID(high: 0x0193_4C5E_0A00_7ABC, low: 0x8123_4567_89AB_CDEF)

    @Test func `the text form is that of RFC 9562 in lower case`() {
        #expect(IDTests.id.description == "01934c5e-0a00-7abc-8123-456789abcdef")
    }

    @Test(arguments: ["01934c5e-0a00-7abc-8123-456789abcdef", "01934C5E-0A00-7ABC-8123-456789ABCDEF"])
    func `reads both cases`(text: String) {
        #expect(PromiseID(text) == IDTests.id)
    }

    @Test(arguments: [
        "", "x", "01934c5e-0a00-7abc-8123-456789abcde", "01934c5e-0a00-7abc-8123-456789abcdef0",
        "01934c5e00a00-7abc-8123-456789abcdef", "01934c5e-0a00-7abc-8123-456789abcdeg",
        "{01934c5e-0a00-7abc-8123-456789abcde}", "01934c5e0a007abc8123456789abcdef",
        "01934c5e-0a00-7abc-8123-456789abcd\u{e9}", "-1934c5e-0a00-7abc-8123-456789abcdef",
    ])
    func `rejects other texts`(text: String) {
        #expect(PromiseID(text) == nil)
    }

    @Test func `accepts only digits and dashes at their places`() {
        let text = Array(IDTests.id.description.utf8)
        for place in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[place] = byte
                let isDash = [8, 13, 18, 23].contains(place)
                let isRight =
                    isDash ? byte == UInt8(ascii: "-") : byte < 0x80 && Character(UnicodeScalar(byte)).isHexDigit
                let id = id(of: changed)
                #expect((id != nil) == isRight, "\(byte) at \(place)")
                if let id { #expect(id.description == String(decoding: changed, as: UTF8.self).lowercased()) }
            }
        }
        #expect(id(of: text.dropLast()) == nil)
        #expect(id(of: text + text) == nil)
    }

    @Test func `requires room for the text of an id`() async {
        await #expect(processExitsWith: .failure) {
            withUnsafeTemporaryAllocation(byteCount: 35, alignment: 1) { IDTests.id.write(to: $0) }
        }
    }

    private func id(of bytes: [UInt8]) -> PromiseID? { PromiseID(ascii: bytes.span.bytes) }

    @Test func `an id has its time, version and variant, and its text converts back`() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<1_000 {
            let now = Instant(milliseconds: Int64.random(in: 0..<(1 << 48), using: &generator))
            let id = PromiseID(at: now, using: &generator)
            #expect(id.high >> 16 == UInt64(now.milliseconds))
            #expect(id.high >> 12 & 0xF == 7)
            #expect(id.low >> 62 == 2)
            #expect(PromiseID(id.description) == id)
        }
    }

    @Test func `later ids are larger, and two of the same millisecond differ`() {
        var generator = SeededGenerator(seed: 3)
        let first = PromiseID(at: .meeting, using: &generator)
        let second = PromiseID(at: .meeting, using: &generator)
        let later = PromiseID(at: .meeting + .milliseconds(1), using: &generator)
        #expect(first != second)
        #expect(max(first, second) < later)
    }

    @Test func `limits a time before 1970 to 1970`() {
        var generator = SeededGenerator(seed: 4)
        #expect(PromiseID(at: Instant(milliseconds: -1), using: &generator).high >> 16 == 0)
    }

    @Test func `encodes ids as text`() throws {
        let data = try JSONEncoder().encode([IDTests.id])
        #expect(String(decoding: data, as: UTF8.self) == "[\"01934c5e-0a00-7abc-8123-456789abcdef\"]")
        #expect(try JSONDecoder().decode([PromiseID].self, from: data) == [IDTests.id])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([PromiseID].self, from: Data("[\"x\"]".utf8)) }
    }
}
