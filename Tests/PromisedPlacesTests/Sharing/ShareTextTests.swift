import Foundation
import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import Testing

@Suite struct ShareTextTests {
    private static let market = SharedPlace(
        Place(
            name: "통인시장",
            address: "서울특별시 종로구 자하문로15길 18",
            coordinate: Coordinate(latitude: 37.5807, longitude: 126.97)
        ),
        phone: "02-722-0911",
        website: "https://tonginmarket.co.kr",
        social: "https://social.example/tongin"
    )
    private static let english = ShareTextWriter(language: .english)
    private static let korean = ShareTextWriter(language: .korean)
    private static let openStreetMap =
        "https://www.openstreetmap.org/?mlat=37.5807&mlon=126.97#map=17/37.5807/126.97"

    @Test func `shares a place with its contacts, today's hours and maps`() {
        let text = Self.english.text(of: Self.market, today: .open([540..<1_080, 1_140..<1_560]))
        #expect(
            text.text == """
                통인시장
                서울특별시 종로구 자하문로15길 18
                Phone: 02-722-0911
                Website: https://tonginmarket.co.kr
                Social: https://social.example/tongin
                Open today: 09:00–18:00, 19:00–26:00
                Map on this device: geo:37.5807,126.97
                OpenStreetMap: \(Self.openStreetMap)
                """
        )
        #expect(
            text.links == [
                MapLink(name: "Map on this device", url: "geo:37.5807,126.97"),
                MapLink(name: "OpenStreetMap", url: Self.openStreetMap),
            ]
        )
    }

    @Test func `shares a promise with its meeting time`() throws {
        let meetsAt = try #require(Instant(rfc3339: "2026-11-21T09:00:00Z"))
        let text = Self.korean.text(ofPromise: "장보기", at: Self.market, meetsAt: meetsAt, aheadOfUTCSeconds: 32_400)
        #expect(
            text.text == """
                장보기
                통인시장
                서울특별시 종로구 자하문로15길 18
                전화: 02-722-0911
                웹사이트: https://tonginmarket.co.kr
                SNS: https://social.example/tongin
                만나는 시간: 2026년 11월 21일 (토) 18:00 (UTC+9)
                기기의 지도: geo:37.5807,126.97
                OpenStreetMap: \(Self.openStreetMap)
                """
        )
    }

    @Test func `shares a course with its length, and with a map only if it starts at a place`() {
        let withStart = Self.english.text(ofCourse: "Han River", distanceMetres: 12_345, start: Self.market.place)
        #expect(withStart.text.hasPrefix("Han River\nDistance: 12.3 km\n통인시장\n서울특별시 종로구 자하문로15길 18\nMap"))
        #expect(withStart.links.count == 2)
        let without = Self.korean.text(ofCourse: "한강", distanceMetres: 850, start: nil)
        #expect(without == Self.korean.text(ofCourse: "한강", distanceMetres: 850.4, start: nil))
        #expect(without.text == "한강\n거리: 850 m")
        #expect(without.links.isEmpty)
        #expect(Self.korean.text(ofCourse: "한강", distanceMetres: nil, start: nil).text == "한강")
    }

    @Test(arguments: [(999.4, "999 m"), (999.5, "1.0 km"), (1_049, "1.0 km"), (1_050, "1.1 km"), (0, "0 m")])
    func `gives lengths below a kilometre in metres`(_ metres: Double, _ expected: String) {
        let text = Self.english.text(ofCourse: "Way", distanceMetres: metres, start: nil).text
        #expect(text == "Way\nDistance: \(expected)")
    }

    @Test(arguments: [
        (SharedHours.closed, "Closed today", "오늘 휴무"), (.thatDay, "Open today, hours unknown", "오늘 영업, 시간 미확인"),
        (.open([0..<1_440]), "Open today: 00:00–24:00", "오늘 영업: 00:00–24:00"),
    ])
    func `gives today's hours in both languages`(_ hours: SharedHours, _ english: String, _ korean: String) {
        let place = SharedPlace(Place(name: "A", coordinate: Coordinate(latitude: 1, longitude: 2)))
        #expect(ShareTextWriter(language: .english, maps: []).text(of: place, today: hours).text == "A\n\(english)")
        #expect(ShareTextWriter(language: .korean, maps: []).text(of: place, today: hours).text == "A\n\(korean)")
        #expect(ShareTextWriter(language: .korean, maps: []).text(of: place, today: nil).text == "A")
    }

    @Test(arguments: [
        ("2026-11-21T09:00:00Z", 32_400, "Saturday, 21 November 2026, 18:00 (UTC+9)"),
        ("2026-12-31T15:30:00Z", 32_400, "Friday, 1 January 2027, 00:30 (UTC+9)"),
        ("2028-02-29T12:05:59.999Z", 0, "Tuesday, 29 February 2028, 12:05 (UTC)"),
        ("2027-03-01T02:00:00Z", -12_600, "Sunday, 28 February 2027, 22:30 (UTC-3:30)"),
        ("2026-11-21T09:00:00Z", 20_700, "Saturday, 21 November 2026, 14:45 (UTC+5:45)"),
    ])
    func `the meeting time is the local one`(_ instant: String, _ ahead: Int, _ expected: String) throws {
        let place = SharedPlace(Place(name: "B", coordinate: Coordinate(latitude: 1, longitude: 2)))
        let writer = ShareTextWriter(language: .english, maps: [])
        let meetsAt = try #require(Instant(rfc3339: instant))
        let text = writer.text(ofPromise: "A", at: place, meetsAt: meetsAt, aheadOfUTCSeconds: ahead)
        #expect(text.text == "A\nB\nMeeting time: \(expected)")
    }

    @Test(arguments: [
        (0, 0, "0,0"), (37.5, -122.25, "37.5,-122.25"), (-0.000_000_4, 0.000_000_5, "0,0.000001"),
        (90, 135, "90,0"), (-90, -180, "-90,0"), (-33.000_01, 180, "-33.00001,180"),
        (1.234_567_89, 100, "1.234568,100"),
    ])
    func `writes positions by RFC 5870`(_ latitude: Double, _ longitude: Double, _ expected: String) {
        let place = Place(name: "A", coordinate: Coordinate(latitude: latitude, longitude: longitude))
        #expect(MapLinkTemplate.defaults[0].link(to: place, in: .english)?.url == "geo:\(expected)")
    }

    @Test(arguments: [(.nan, 0), (91, 0), (0, .infinity)] as [(Double, Double)])
    func `makes no link for a position beyond the earth`(_ latitude: Double, _ longitude: Double) {
        let place = Place(name: "A", coordinate: Coordinate(latitude: latitude, longitude: longitude))
        #expect(
            Self.english.text(of: SharedPlace(place), today: nil)
                == Self.english.text(ofCourse: "A", distanceMetres: nil, start: nil)
        )
    }

    private static let kakao = "https://map.kakao.com/link/map/{name},{latitude},{longitude}"

    @Test(
        .defends("link-injection"),
        arguments: [
            ("시장", "%EC%8B%9C%EC%9E%A5"), ("a b&c=d", "a%20b%26c%3Dd"), ("-._~09AZaz", "-._~09AZaz"),
            ("{name}", "%7Bname%7D"),
            ("1/2,3", "1%2F2%2C3"), ("\u{7}\u{FF21}", "%07%EF%BC%A1"), ("100%", "100%25"),
        ]
    )
    func `percent-encodes names`(_ name: String, _ encoded: String) throws {
        let template = try MapLinkTemplate(name: BilingualName(english: "Kakao", korean: "카카오맵"), template: Self.kakao)
        let place = Place(name: name, coordinate: Coordinate(latitude: 1.5, longitude: 2.5))
        let url = "https://map.kakao.com/link/map/\(encoded),1.5,2.5"
        #expect(template.link(to: place, in: .korean) == MapLink(name: "카카오맵", url: url))
        #expect(encoded.removingPercentEncoding == name)
    }

    @Test(.proves("11.15"), arguments: 1...50)
    func `a link contains any name as one part of a URL`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let scalars = (0..<20).compactMap { _ in Unicode.Scalar(UInt32.random(in: 1...0x3000, using: &random)) }
        let name = String(String.UnicodeScalarView(scalars))
        let template = try MapLinkTemplate(
            name: BilingualName(english: "Map", korean: "지도"),
            template: "https://example.org/{name}"
        )
        let place = Place(name: name, coordinate: Coordinate(latitude: 0, longitude: 0))
        let url = try #require(template.link(to: place, in: .english)?.url)
        #expect(
            url.dropFirst("https://example.org/".count).allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "%-._~".contains($0))
            }
        )
        #expect(url.removingPercentEncoding == "https://example.org/" + name, "seed \(seed)")
    }

    @Test(
        .defends("link-injection"),
        arguments: [
            .scheme("javascript:alert({latitude},{longitude})"), .scheme("{latitude},{longitude}"), .scheme("https"),
            .scheme("ftp://a/{name}"), .scheme(":{name}"), .scheme(""), .character("https://a/ {name}"),
            .character("https://a/\"{name}"), .character("https://카/{name}"), .placeholder("https://a/{lat}/{name}"),
            .placeholder("https://a/{name}}"), .placeholder("https://a/{Name}"), .noPlace("https://a/{latitude}"),
            .noPlace("https://a/"),
        ] as [MapLinkProblem]
    )
    func `rejects templates without a position`(_ expected: MapLinkProblem) {
        let template =
            switch expected {
            case .scheme(let template), .character(let template), .placeholder(let template), .noPlace(let template):
                template
            }
        #expect(throws: expected) {
            try MapLinkTemplate(name: BilingualName(english: "Map", korean: "지도"), template: template)
        }
        #expect(expected.description.contains("\"\(template)\""))
    }

    @Test(
        arguments: MapLinkTemplate.defaults.map(\.template) + [
            kakao, "HTTPS://a/{name}", "geo:0,0?q={latitude},{longitude}({name})",
        ]
    )
    func `accepts an operator's templates`(_ template: String) throws {
        let name = BilingualName(english: "Map", korean: "지도")
        #expect(try MapLinkTemplate(name: name, template: template).template == template)
    }
}
