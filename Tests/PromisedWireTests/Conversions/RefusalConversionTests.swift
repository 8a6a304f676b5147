import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import Testing

@Suite struct RefusalConversionTests {
    @Test(
        .proves("file.not-found", "file.unsupported", "file.mismatch", "file.unreadable", "visit.not-found"),
        .proves("position.limit")
    )
    func `a refusal has its code`() throws {
        let lines = Refusals.all.map { refusal in
            "\("\(refusal)".prefix { $0 != "(" }) \(ErrorCode(refusal).rawValue)"
        }
        try Golden.expect(lines.joined(separator: "\n"), matches: "refusals.txt")
    }

    @Test func `the codes of refusals are unique`() {
        #expect(Set(Refusals.all.map { ErrorCode($0) }).count == Refusals.all.count)
    }

    @Test(arguments: Refusals.all)
    func `answers a refusal with the sentence and advice of its code`(refusal: Refusal) {
        let reply = WireErrorReply(refusal)
        let code = ErrorCode(refusal)
        #expect(reply.knownCode == code)
        #expect(reply.message == code.sentence)
        #expect(Retry(reply.retry) == code.retry)
        #expect(reply.field == (refusal == .invalid(field: "title") ? "title" : ""))
    }

    @Test func `names an invalid field`() {
        let reply = WireErrorReply(Refusal.invalid(field: "place.name"))
        #expect(reply.knownCode == .requestInvalid)
        #expect(reply.field == "place.name")
        #expect(WireErrorReply(WireError.invalid(field: "fixes")).field == "fixes")
        #expect(WireErrorReply(WireError.invalid(field: "fixes")).knownCode == .requestInvalid)
    }

    @Test func `coding failures have a code`() {
        #expect(WireErrorReply(WireError.malformed(.syntax)).knownCode == .requestInvalid)
        #expect(WireErrorReply(WireError.unencodable).knownCode == .serverInternal)
    }
}
