import PromisedTestMarks
import Testing

@testable import PromisedAccess

@Suite struct PasswordPolicyTests {
    @Test(
        .proves("2.1"),
        arguments: [
            "zkqvw#17", "        ", "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}", "👨‍👩‍👧‍👦🐙🎷🌵🗿🧿🦆🪗", "ㅂㅁㄱㄷㅈㅇㅎㅋ",
            String(repeating: "z", count: 128), String(repeating: "é", count: 127) + "e\u{301}",
        ]
    )
    func `accepts any characters`(password: String) throws {
        try PasswordPolicy.check(password)
    }

    @Test(
        .proves("2.1"),
        arguments: [
            ("zkqvw#1", TextProblem.Reason.tooShort(minimum: 8)), ("", .tooShort(minimum: 8)),
            ("👨‍👩‍👧‍👦🐙🎷🌵🗿🧿🦆", .tooShort(minimum: 8)), ("e\u{301}e\u{301}e\u{301}e\u{301}", .tooShort(minimum: 8)),
            (String(repeating: "z", count: 129), .tooLong(maximum: 128)),
            ("password", .tooCommon), ("PassWord1", .tooCommon), ("12345678", .tooCommon), ("iloveyou", .tooCommon),
            ("1Q2W3E4R", .tooCommon), ("пароль123", .tooCommon),
        ]
    )
    func `rejects short, long and common passwords`(password: String, reason: TextProblem.Reason) throws {
        let problem = try #require(throws: TextProblem.self) {
            try PasswordPolicy.check(password, field: "newPassword")
        }
        #expect(problem == TextProblem(field: "newPassword", reason: reason))
    }

    @Test func `limits a password to 2048 bytes`() throws {
        // The longest with 128 characters of 16 bytes: four bytes and twelve of marks each.
        let longest = String(repeating: "👍\u{335}\u{335}\u{335}\u{335}\u{335}\u{335}", count: 128)
        #expect(longest.utf8.count == 2_048)
        try PasswordPolicy.check(longest)
        let shorter = longest.dropLast() + "👍\u{335}\u{335}\u{335}\u{335}\u{20D0}"
        #expect(shorter.utf8.count == 2_047)
        try PasswordPolicy.check(String(shorter))
        #expect(throws: TextProblem(field: "password", reason: .tooManyBytes(maximum: 2_048))) {
            try PasswordPolicy.check(longest + "\u{335}")
        }
        #expect(throws: TextProblem(field: "password", reason: .overloadedCharacter)) {
            try PasswordPolicy.check("password" + String(repeating: "\u{335}", count: 33))
        }
    }

    @Test func `the list needs little memory`() {
        #expect((200...1_000).contains(CommonPasswords.count))
    }
}
