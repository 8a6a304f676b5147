import PromisedClient
import PromisedProtocol
import PromisedTestMarks
import Testing

@testable import promisectl

@Suite("Failures")
struct FailureTests {
    private static func failure(_ code: String, _ message: String, field: String = "") -> Failure {
        var reply = WireErrorReply()
        (reply.code, reply.message, reply.field) = (code, message, field)
        return Failure(.refused(reply))
    }

    @Test func `a refusal names the field unless its sentence starts with it`() {
        let named = Self.failure("request.invalid", "too long", field: "title")
        #expect(named.description == "title: too long (request.invalid)")
        let begun = Self.failure("request.invalid", "title: no", field: "title")
        #expect(begun.description == "title: no (request.invalid)")
    }

    @Test(.defends("terminal-escapes"))
    func `a hostile server's refusal neither moves the cursor nor fills the screen`() {
        let moving = Self.failure("auth.forbidden", "\u{1B}[2J\u{07}\r\nfake\u{202E}")
        #expect(moving.description == "\u{FFFD}[2J\u{FFFD}  fake\u{FFFD} (auth.forbidden)")
        let escaping = Self.failure("\u{1B}[31m", "no", field: "\u{9B}A")
        #expect(escaping.description == "\u{FFFD}A: no (\u{FFFD}[31m)")
        let long = Self.failure("auth.forbidden", String(repeating: "x", count: 200_000))
        #expect(long.description == String(repeating: "x", count: 500) + " (auth.forbidden)")
        let marked = Self.failure("auth.forbidden", "a" + String(repeating: "\u{301}", count: 100_000))
        #expect(marked.description.unicodeScalars.count < 600)
    }
}
