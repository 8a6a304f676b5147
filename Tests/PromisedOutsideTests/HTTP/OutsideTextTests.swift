import PromisedDomain
import Testing

@testable import PromisedOutside

@Suite struct OutsideTextTests {
    struct Address: Sendable {
        var text: String
        var authority: String
        var path = ""
    }

    static let addresses: [Address] = [
        Address(text: "https://api.met.no", authority: "api.met.no:443"),
        Address(text: "https://API.met.no/", authority: "api.met.no:443"),
        Address(text: "https://api.met.no/weatherapi//", authority: "api.met.no:443", path: "/weatherapi"),
        Address(text: "HTTPS://localhost:8443/a/b", authority: "localhost:8443", path: "/a/b"),
        Address(text: "https://127.0.0.1:65535", authority: "127.0.0.1:65535"),
    ]

    @Test(arguments: addresses)
    func `an address has host, port and path`(_ row: Address) throws {
        let url = try OutsideURL(row.text)
        #expect(url.authority == row.authority)
        #expect(url.path == row.path)
    }

    @Test(arguments: [
        "", "api.met.no", "http://api.met.no", "https://", "https:///path", "https://host:", "https://host:0",
        "https://host:65536", "https://host:x", "https://user@host", "https://host?a=b", "https://host#f",
        "https://ho st", "https://[::1]", "https://날씨.kr",
    ])
    func `rejects other texts as addresses`(text: String) {
        let problem = #expect(throws: OutsideURL.Problem.self) { try OutsideURL(text) }
        #expect(problem?.description.hasPrefix("\"\(text)\" is not a usable address: ") ?? false)
    }

    @Test func `encodes parameters`() throws {
        let request = OutsideRequest(
            try OutsideURL("https://host/base"),
            path: "/x",
            query: [("serviceKey", "a+b/c=="), ("hourly", "pm10,pm2_5"), ("text", "가 &")]
        )
        #expect(
            request.url
                == "https://host:443/base/x?serviceKey=a%2Bb%2Fc%3D%3D&hourly=pm10,pm2_5&text=%EA%B0%80%20%26"
        )
        #expect(OutsideRequest(try OutsideURL("https://host"), query: []).url == "https://host:443")
    }

    struct Date: Sendable {
        var text: String
        var instant: String?
    }

    static let dates: [Date] = [
        Date(text: "Sun, 06 Nov 1994 08:49:37 GMT", instant: "1994-11-06T08:49:37Z"),
        Date(text: "Thu, 29 Feb 2024 23:59:60 GMT", instant: "2024-03-01T00:00:00Z"),
        Date(text: "Thu, 30 Feb 2024 00:00:00 GMT", instant: nil),
        Date(text: "Sun, 6 Nov 1994 08:49:37 GMT", instant: nil),
        Date(text: "Sun, 06 Nov 1994 24:00:00 GMT", instant: nil),
        Date(text: "Sun, 06 Nov 1994 08:49:37 UTC", instant: nil),
        Date(text: "Sunday, 06-Nov-94 08:49:37 GMT", instant: nil),
        Date(text: "0", instant: nil),
        Date(text: "", instant: nil),
    ]

    @Test(arguments: dates)
    func `reads dates of headers`(_ row: Date) {
        #expect(HTTPDate.instant(row.text)?.rfc3339 == row.instant)
    }

    @Test func `reads a pause in seconds or as a date`() throws {
        let now = try #require(HTTPDate.instant("Sun, 06 Nov 1994 08:49:37 GMT"))
        #expect(HTTPDate.retryAfter("120", from: now) == .seconds(120))
        #expect(HTTPDate.retryAfter("0", from: now) == .zero)
        #expect(HTTPDate.retryAfter("Sun, 06 Nov 1994 08:50:07 GMT", from: now) == .seconds(30))
        #expect(HTTPDate.retryAfter("Sun, 06 Nov 1994 08:49:07 GMT", from: now) == .zero)
        for text in ["-1", "1.5", "", "soon", "9999999999"] { #expect(HTTPDate.retryAfter(text, from: now) == nil) }
        #expect(HTTPDate.retryAfter(nil, from: now) == nil)
    }
}
