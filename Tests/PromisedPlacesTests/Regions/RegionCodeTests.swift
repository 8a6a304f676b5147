import PromisedPlaces
import Testing

@Suite struct RegionCodeTests {
    static let longest = String(repeating: "구", count: RegionCode.longestLevel)

    @Test(arguments: [
        "KR-11", "KR-11/종로구", "JP-13/Shinjuku ku", "x", "서울", longest, "\(longest)/\(longest)", "a-b/c.d",
    ])
    func `accepts codes of one or two levels`(_ text: String) {
        #expect(RegionCode(text)?.text == text)
    }

    @Test(arguments: [
        "", "/", "KR-11/", "/종로구", "KR-11/종로구/세종로", " KR-11", "KR-11 ", "KR-11/ 종로구", "KR\u{7}", "a\nb", "\(longest)구",
        "KR-11/\(longest)구",
    ])
    func `rejects other texts as codes`(_ text: String) {
        #expect(RegionCode(text) == nil)
    }

    @Test(arguments: [
        ("KR-11", "KR-11", true), ("KR-11", "KR-11/종로구", true), ("KR-11/종로구", "KR-11/종로구", true),
        ("KR-11/종로구", "KR-11", false), ("KR-11/종로구", "KR-11/중구", false), ("KR-1", "KR-11/종로구", false),
        ("KR-1", "KR-11", false), ("KR-26", "KR-11/중구", false), ("KR-11/종로", "KR-11/종로구", false),
    ])
    func `a region contains itself and its parts`(_ region: String, _ other: String, _ contains: Bool) throws {
        #expect(try #require(RegionCode(region)).contains(#require(RegionCode(other))) == contains)
    }

    @Test func `a part knows its region`() {
        let seoul = KoreanProvince.seoul.code
        let district = RegionCode(text: "KR-11/종로구")
        #expect(district.text == "KR-11/종로구")
        #expect(district.parent == seoul)
        #expect(district.part == "종로구")
        #expect(seoul.parent == nil)
        #expect(seoul.part == nil)
        #expect([district, KoreanProvince.busan.code, seoul].sorted() == [seoul, district, KoreanProvince.busan.code])
    }

    @Test(arguments: [
        ("KR-11", "Seoul", "서울특별시"), ("KR-45", "North Jeolla", "전북특별자치도"), ("KR-11/종로구", "종로구", "종로구"),
        ("JP-13", "JP-13", "JP-13"),
    ])
    func `provinces have names in both languages`(_ code: String, _ english: String, _ korean: String) throws {
        let region = try #require(RegionCode(code))
        #expect(region.name(in: .english) == english)
        #expect(region.name(in: .korean) == korean)
    }

    @Test(
        arguments: [
            ("ko", .korean), ("ko-KR", .korean), ("KO_kr", .korean), ("en", .english), ("kok", .english),
            ("", .english),
            ("ja-JP", .english), ("-ko", .english),
        ] as [(String, BilingualName.Language)]
    )
    func `a locale selects one of two languages`(_ locale: String, _ language: BilingualName.Language) {
        #expect(BilingualName.Language(locale: locale) == language)
    }
}
