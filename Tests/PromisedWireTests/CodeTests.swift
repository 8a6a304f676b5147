import PromisedProtocol
import PromisedWire
import Testing

@Suite struct CodeTests {
    @Test func `the error codes equal the recorded ones`() throws {
        let lines = ErrorCode.allCases.map { "\($0.rawValue) \($0.retry.rawValue) \($0.sentence)" }
        try Golden.expect(lines.joined(separator: "\n"), matches: "error-codes.txt")
    }

    @Test func `the close codes equal the recorded ones`() throws {
        let lines = CloseCode.allCases.map { code in
            "\(code.rawValue) \(code) \(code.mayReconnect ? "comes back" : "stays away") \(code.sentence)"
        }
        try Golden.expect(lines.joined(separator: "\n"), matches: "close-codes.txt")
    }

    @Test func `error codes are dotted lower-case words`() {
        for code in ErrorCode.allCases {
            #expect(code.rawValue.wholeMatch(of: /[a-z]+\.[a-z]+(-[a-z]+)*/) != nil, "\(code.rawValue)")
        }
    }

    @Test func `every error code has a unique sentence`() {
        for code in ErrorCode.allCases {
            #expect(code.sentence.wholeMatch(of: /[A-Z].*[a-z]\./) != nil, "\(code.rawValue): \(code.sentence)")
        }
        #expect(Set(ErrorCode.allCases.map(\.sentence)).count == ErrorCode.allCases.count)
    }

    @Test(
        arguments: [
            // One before, on and after each end of the permanent range; 1006 is a lost connection.
            (4_499, true), (4_500, false), (4_999, false), (5_000, true), (1_006, true),
        ] as [(UInt16, Bool)]
    )
    func `the range of an unknown close code decides about reconnecting`(code: UInt16, comesBack: Bool) {
        #expect(CloseCode.mayReconnect(after: code) == comesBack)
    }

    @Test(arguments: CloseCode.allCases)
    func `a close sentence fits the close frame`(code: CloseCode) {
        #expect(code.sentence.utf8.count <= 123)
        #expect(code.sentence.utf8.allSatisfy { $0 < 128 })
    }

    @Test func `an error has its code's sentence and advice by default`() {
        let plain = WireErrorReply(.limitRate)
        #expect(plain.code == "limit.rate")
        #expect(plain.message == ErrorCode.limitRate.sentence)
        #expect(plain.retry == .later)
        #expect(plain.retryAfterMs == 0)
        #expect(plain.field == "")
        #expect(plain.knownCode == .limitRate)

        let special = WireErrorReply(
            .requestInvalid,
            message: "No.",
            retry: .afterRejoin,
            retryAfterMs: 9,
            field: "title"
        )
        #expect(special.message == "No.")
        #expect(special.retry == .afterRejoin)
        #expect(special.retryAfterMs == 9)
        #expect(special.field == "title")
    }

    @Test func `accepts an unknown error code`() {
        var reply = WireErrorReply(.limitRate)
        reply.code = "limit.of-tomorrow"
        #expect(reply.knownCode == nil)
        #expect(Retry(.UNRECOGNIZED(9)) == nil)
        #expect(Retry(.unspecified) == nil)
    }

    @Test(arguments: Retry.allCases)
    func `decodes encoded advice unchanged`(retry: Retry) {
        #expect(Retry(retry.wireValue) == retry)
    }
}
