import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct WebAddressTests {
    @Test(
        .proves("12.10"),
        arguments: [
            ("https://example.kr", "https://example.kr"), ("HTTP://Example.kr/A?b=C#d", "http://Example.kr/A?b=C#d"),
            (" www.gurisijang.kr ", "http://www.gurisijang.kr"), ("www.연무시장.com", "http://www.연무시장.com"),
            ("example.kr/a/b", "http://example.kr/a/b"), ("example.kr:8080/a", "http://example.kr:8080/a"),
            ("httpbin.org", "http://httpbin.org"), ("https.example.org", "http://https.example.org"),
            ("www.g_sijang.co.kr", "http://www.g_sijang.co.kr"),
            // Several, as OpenStreetMap writes them; a semicolon may belong to an address.
            ("https://a.kr;https://b.kr", "https://a.kr"), ("https://a.kr/x ; www.b.kr", "https://a.kr/x"),
            ("a.kr; b.kr", "http://a.kr"), ("http://a.kr/;HTTPS://b.kr/", "http://a.kr/"),
            ("https://a.kr/x;y=1?z;w", "https://a.kr/x;y=1?z;w"),
            // Mistakes in the data of Korean markets.
            ("http:산본전통시장.kr", "http://산본전통시장.kr"), ("http: bia5day.modoo.at", "http://bia5day.modoo.at"),
            ("http www.mokpodongbu.com", "http://www.mokpodongbu.com"), ("https:/example.kr", "https://example.kr"),
        ]
    )
    func `adds a scheme to an address`(text: String, address: String) {
        #expect(WebAddress.address(text) == address)
    }

    @Test(
        .proves("12.10"),
        arguments: [
            "", "-", "없음", ";", "-;https://a.kr", ";;;", "https://DGEMC", "www.facebook.com jangwimaket",
            "https://blog.naver.com y75856", "http://",
            "https", "ftp://example.kr", "mailto:a@example.kr", "a@example.kr", "https://a@example.kr",
            "javascript:alert(1.2)", "data:text/html,a.b", "http://example.kr:99999", "http://a..b", "http://.kr",
            "//example.kr", "http://<b>.kr", "http://example.kr/\"onload", "02.123.4567", "2024.01.02", "http://1.2",
            "3.5",
            "http://256.1.1.1", "N.A", "-.kr", "www.-a.kr", "a-.example.kr", "http://example.kr/%zz",
            "http://example.kr/100%",
        ]
    )
    func `omits a text that is not a web address`(text: String) {
        #expect(WebAddress.address(text) == nil)
    }

    @Test(
        .proves("12.10"),
        arguments: [
            ("http://example.kr", true), ("HTTPS://Example.kr:8080/a?b#c", true), ("http://192.0.2.1/a%20b", true),
            ("https://시장.한국", true), ("http://", false), ("https://no place", false), ("http://x", false),
            ("http://02.123.4567", false), ("example.kr", false), ("ftp://example.kr", false),
            ("http:example.kr", false),
            ("", false),
        ]
    )
    func `distinguishes an address with a scheme from a text`(text: String, isAddress: Bool) {
        #expect(WebAddress.isAddress(text) == isAddress)
    }

    @Test(arguments: [(299, true), (300, true), (301, false)])
    func `an address has up to 300 characters`(length: Int, isKept: Bool) {
        let head = "http://a.kr/"
        let text = head + String(repeating: "x", count: length - head.count)
        #expect((WebAddress.address(text) != nil) == isKept)
    }
}
