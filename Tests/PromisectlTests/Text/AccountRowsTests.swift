import Testing

@testable import promisectl

@Suite("Rows of accounts")
struct AccountRowsTests {
    @Test func `accepts columns in any order and case`() throws {
        let rows = try AccountRows(csv: "Email,PASSWORD, nickname\na@b.c,secret12,ada\n")
        #expect(rows.good == [AccountRow(line: 2, nickname: "ada", email: "a@b.c", password: "secret12")])
        #expect(rows.bad.isEmpty)
    }

    @Test func `rejects the second of two duplicates, in any case`() throws {
        let rows = try AccountRows(
            csv: "nickname,email,password\nada,a@b.c,x\nADA,d@b.c,x\nbob,A@B.C,x\neve,e@b.c,x\n"
        )
        #expect(rows.good.map(\.nickname) == ["ada", "eve"])
        #expect(
            rows.bad == [
                BadRow(line: 3, problem: "the nickname is already in line 2"),
                BadRow(line: 4, problem: "the e-mail is already in line 2"),
            ]
        )
    }

    @Test func `rejects rows with too few or empty fields`() throws {
        let rows = try AccountRows(csv: "nickname,email,password\nada,a@b.c\nbob,,x\n")
        #expect(
            rows.bad == [
                BadRow(line: 2, problem: "2 fields instead of 3"), BadRow(line: 3, problem: "the email is empty"),
            ]
        )
    }

    @Test(arguments: [
        ("", "the file is empty: add a header row"),
        ("nickname,email\n", "the header has no column password; it needs nickname,email,password"),
        ("nickname,email,password,x\n", "the header has more columns than nickname,email,password"),
        ("nickname,email,password\nada,a@b.c,\"x\n", "line 3: a quoted field is not closed"),
        ("nickname,email,password\na\"da,a@b.c,x\n", "line 2: there is a quote in a field without quotes"),
    ])
    func `another header, or text that is not CSV, stops the import`(text: String, problem: String) {
        #expect(throws: Failure.usage(problem)) { try AccountRows(csv: text) }
    }
}
