import PromisedTestMarks
import Testing

@testable import PromisedAccess

@Suite struct EmailAddressTests {
    private static let longLocal = String(repeating: "a", count: 64)
    private static let label = String(repeating: "b", count: 61)
    /// 64 + 1 + 3 · 62 + 3 = 254 bytes.
    private static let longest = "\(longLocal)@\(label).\(label).\(label).com"

    @Test(
        .proves("2.1"),
        arguments: [
            "a@b.co", "mina.lee+meet@mail.example.com", "o'brien@x-y.example", "지은@예시.한국", "a@b.xn--p1ai", longest,
            "!#$%&'*/=?^_`{|}~-@example.org",
        ]
    )
    func `accepts usual addresses`(text: String) throws {
        #expect(try EmailAddress(text).text == text)
    }

    @Test(
        .proves("2.1"),
        arguments: [
            "", " ", "a", "@b.co", "a@", "a@b", "a@@b.co", "a b@c.de", "a@b .co", ".a@b.co", "a.@b.co", "a..b@c.de",
            "a@b..co", "a@.co", "a@b.co.", "a@-b.co", "a@b-.co", "a@b_c.de", "a@1.2", "a@[127.0.0.1]", "\"a b\"@c.de",
            "a<b@c.de", "a,b@c.de", "a\u{200B}@b.co", "a\u{0}@b.co", "a\n@b.co", "a\(longLocal)@b.co", "x\(longest)",
            "\(longLocal)@\(label)b.\(label).\(label).com",
        ]
    )
    func `rejects all others`(text: String) throws {
        let problem = try #require(throws: TextProblem.self) { try EmailAddress(text) }
        #expect(problem.field == "email")
    }

    @Test(.proves("2.2")) func `the key ignores case and surrounding white space`() throws {
        #expect(try EmailAddress(" Mina@Example.COM ").key == EmailAddress.key(for: "mina@example.com"))
        #expect(EmailAddress.key(for: "no address") != EmailAddress.key(for: "other"))
    }
}
