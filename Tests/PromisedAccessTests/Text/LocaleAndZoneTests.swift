import PromisedTestMarks
import Testing

@testable import PromisedAccess

@Suite struct LocaleAndZoneTests {
    @Test(
        .proves("2.13"),
        arguments: [
            ("en", "en"), ("ko-KR", "ko-KR"), ("KO-kr", "ko-KR"), ("zh-hant-tw", "zh-Hant-TW"), ("es-419", "es-419"),
            ("sl-rozaj-biske", "sl-rozaj-biske"), ("de-CH-1901", "de-CH-1901"), ("zh-cmn-Hans-CN", "zh-cmn-Hans-CN"),
            ("en-u-ca-gregory", "en-u-ca-gregory"), ("en-US-x-twain", "en-US-x-twain"), ("x-whatever", "x-whatever"),
            ("en-x-us", "en-x-us"), ("tlh", "tlh"),
        ]
    )
    func `accepts a tag of BCP 47 in its usual case`(text: String, tag: String) throws {
        #expect(try LanguageTag.clean(text) == tag)
    }

    @Test(
        .proves("2.13"),
        arguments: [
            "", "e", "en_US", "en-", "-en", "en--US", "en US", "english-language-tag-of-nine1234", "12", "en-a", "en-u",
            "en-USA1-", "한국어", "x", "x-", "en-x", "en-ümlaut", "abcdefghi", "en-aaaa-bbbb", "C.UTF-8",
            "en-u-aaaaaaaa-bbbbbbbb-cccccccc-ddd-e",
        ]
    )
    func `rejects other tags`(text: String) throws {
        let problem = try #require(throws: TextProblem.self) { try LanguageTag.clean(text) }
        #expect(problem.field == "locale")
    }

    @Test(
        .proves("2.13"),
        arguments: ["Asia/Seoul", "America/Argentina/Buenos_Aires", "Etc/GMT+3", "UTC", "Europe/Berlin"]
    )
    func `accepts known zones`(name: String) throws {
        #expect(try TimeZoneName.clean(name) == name)
    }

    @Test(
        .proves("2.13"),
        arguments: [
            "", "Asia/Nowhere", "asia/seoul", "GMT+3", "+09:00", "PST", "../../etc/passwd", "Asia/../Asia/Seoul",
            "Asia//Seoul",
            "/Asia/Seoul", "Asia/Seoul ", "Asia/Seoul\u{0}", "localtime",
        ]
    )
    func `rejects other zones`(name: String) throws {
        let problem = try #require(throws: TextProblem.self) { try TimeZoneName.clean(name) }
        #expect(problem.field == "timeZone")
    }
}
