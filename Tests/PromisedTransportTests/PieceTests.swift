import PromisedTestMarks
import PromisedTransport
import Testing

struct PieceTests {
    private func add(
        _ piece: String,
        to assembly: inout MessageAssembly,
        remaining: Int = 0,
        isFinal: Bool = true,
        limit: Int = 10
    ) -> MessageAssembly.Outcome {
        add(Array(piece.utf8), to: &assembly, remaining: remaining, isFinal: isFinal, limit: limit)
    }

    private func add(
        _ piece: [UInt8],
        to assembly: inout MessageAssembly,
        remaining: Int = 0,
        isFinal: Bool = true,
        limit: Int = 10
    ) -> MessageAssembly.Outcome {
        piece.withUnsafeBufferPointer {
            assembly.add($0, remaining: remaining, isFinal: isFinal, isText: true, limit: limit)
        }
    }

    // MARK: - Assembly

    @Test func `assembles pieces to a message, and starts the next one empty`() {
        var assembly = MessageAssembly()
        #expect(add("ab", to: &assembly, isFinal: false) == .incomplete(announced: 2))
        #expect(assembly.isIncomplete)
        #expect(add("cd", to: &assembly, remaining: 1, isFinal: false) == .incomplete(announced: 5))
        #expect(add("e", to: &assembly) == .message(Array("abcde".utf8)))
        #expect(!assembly.isIncomplete)
        #expect(add("f", to: &assembly) == .message(Array("f".utf8)))
        #expect(add("", to: &assembly) == .message([]))
    }

    @Test(arguments: [(9, false), (10, false), (11, true)])
    func `accepts a message of the limit, whole or in pieces`(_ count: Int, _ isTooLarge: Bool) {
        let text = String(repeating: "x", count: count)
        var whole = MessageAssembly()
        #expect((add(text, to: &whole) == .tooLarge) == isTooLarge)
        var pieces = MessageAssembly()
        #expect(add("xxxx", to: &pieces, isFinal: false) == .incomplete(announced: 4))
        #expect((add(String(text.dropFirst(4)), to: &pieces) == .tooLarge) == isTooLarge)
    }

    @Test(arguments: [(8, MessageAssembly.Outcome.incomplete(announced: 10)), (9, .tooLarge), (Int.max, .tooLarge)])
    func `rejects a frame of an excessive announced length at its first piece`(
        _ remaining: Int,
        _ outcome: MessageAssembly.Outcome
    ) {
        var assembly = MessageAssembly()
        #expect(add("ab", to: &assembly, remaining: remaining, isFinal: false) == outcome)
        #expect(assembly.isIncomplete == (outcome != .tooLarge))
    }

    @Test func `an empty last frame does not hide half a character`() {
        var assembly = MessageAssembly()
        #expect(add([0xC3], to: &assembly, isFinal: false) == .incomplete(announced: 1))
        #expect(add("", to: &assembly) == .malformedText)
        #expect(add([0xC3, 0xA4], to: &assembly, isFinal: false) == .incomplete(announced: 2))
        #expect(add("", to: &assembly) == .message([0xC3, 0xA4]))
    }

    // MARK: - Meter

    @Test func `pauses reading at the high mark of frames and resumes at half of it`() {
        var meter = InboundMeter(byteMark: 1000, frameMark: 4)
        #expect((0..<3).map { _ in meter.received(1) } == [.unchanged, .unchanged, .unchanged])
        #expect(meter.received(1) == .pause)
        #expect(meter.received(1) == .unchanged)
        #expect(meter.isPaused)
        #expect([meter.processed(1), meter.processed(1)] == [.unchanged, .unchanged])
        #expect(meter.processed(1) == .resume)
        #expect(!meter.isPaused)
    }

    @Test func `pauses reading at the high mark of bytes and resumes at half of it`() {
        var meter = InboundMeter(byteMark: 100, frameMark: 1000)
        #expect(meter.received(99) == .unchanged)
        #expect(meter.received(1) == .pause)
        #expect(meter.processed(49) == .unchanged)
        #expect(meter.processed(1) == .resume)
        #expect(meter.bytes == 50)
    }

    @Test func `limits processed messages to the received ones`() {
        var meter = InboundMeter(byteMark: 10, frameMark: 10)
        #expect(meter.received(10) == .pause)
        #expect(meter.processed(99) == .resume)
        #expect(meter.processed(99) == .unchanged)
        #expect(meter.bytes == 0 && meter.frames == 0)
    }

    // MARK: - Text on the wire

    @Test func `truncates a close text between characters at 123 bytes`() {
        #expect(CloseReason(code: 4000, text: String(repeating: "a", count: 123)).wireText.count == 123)
        #expect(CloseReason(code: 4000, text: String(repeating: "a", count: 124)).wireText.count == 123)
        #expect(CloseReason(code: 4000, text: String(repeating: "ä", count: 100)).wireText.count == 122)
    }

    @Test(
        .defends("header-injection"),
        arguments: [
            (HTTPHeader("Cache-Control", "no-store"), "Cache-Control: no-store\r\n"),
            (HTTPHeader("X", ""), "X: \r\n"),
            (HTTPHeader("", "x"), nil),
            (HTTPHeader("A B", "x"), nil),
            (HTTPHeader("A:", "x"), nil),
            (HTTPHeader("A", "x\r\nB: y"), nil),
            (HTTPHeader("A", "x\u{0}"), nil),
        ] as [(HTTPHeader, String?)]
    )
    func `omits a header with a line break`(_ header: HTTPHeader, _ line: String?) {
        #expect(header.line == line)
    }

    @Test func `an answer has its length, and only for GET its body`() {
        let answer = HTTPResponse(status: 200, contentType: "a/b", headers: [HTTPHeader("X", "y")], body: [1, 2])
        let head = "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nX: y\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
        #expect(answer.bytes() == Array(head.utf8) + [1, 2])
        #expect(answer.bytes(includingBody: false) == Array(head.utf8))
    }
}
