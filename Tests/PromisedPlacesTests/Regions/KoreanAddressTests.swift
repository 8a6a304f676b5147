import Foundation
import PromisedPlaces
import PromisedTestMarks
import Testing

@Suite struct KoreanAddressTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var address: String
        var defaultProvince: KoreanProvince?
        var region: String?
        var testDescription: String { "\(address) (\(defaultProvince.map { $0.rawValue } ?? "no default"))" }

        init(_ address: String, default defaultProvince: KoreanProvince? = nil, is region: String?) {
            self.address = address
            self.defaultProvince = defaultProvince
            self.region = region
        }
    }

    static let provinces: [Case] = [
        // Old and new names of provinces that changed them.
        Case("강원도 강릉시 금성로21", is: "KR-42/강릉시"),
        Case("강원특별자치도 강릉시 금성로21", is: "KR-42/강릉시"),
        Case("전라북도 전주시 완산구 풍남문2길 63", is: "KR-45/전주시"),
        Case("전북특별자치도 전주시 완산구 풍남문2길 63", is: "KR-45/전주시"),
        Case("전북 전주시 완산구", is: "KR-45/전주시"),
        Case("부산직할시 중구", is: "KR-26/중구"),
        // Everyday spellings.
        Case("서울 종로구 세종대로 175", is: "KR-11/종로구"),
        Case("서울시 종로구 세종대로 175", is: "KR-11/종로구"),
        Case("서울특별시 종로구 세종대로 175", is: "KR-11/종로구"),
        Case("제주 제주시 관덕로14길 20", is: "KR-49/제주시"),
        // A word that is not the code of a part.
        Case("서울 종로구/중구 1", is: "KR-11"),
        // Only the province.
        Case("서울", is: "KR-11"),
        Case("경기도", is: "KR-41"),
        // No province.
        Case("", is: nil),
        Case(" \t\u{3000}", is: nil),
        Case("마포구 동교로 194", is: nil),
        Case("東京都 新宿区", is: nil),
        Case("Seoul", is: nil),
        Case("서울특별시강남구 학동로", is: nil),
        Case("제주시 관덕로14길 20", is: nil),
        Case("종로구 서울특별시", is: nil),
    ]

    static let parts: [Case] = [
        // The first word with one of the endings counts, not the last.
        Case("경기도 성남시 분당구 불정로 6", is: "KR-41/성남시"),
        Case("충청남도 홍성군 홍성읍", is: "KR-44/홍성군"),
        Case("경기 광주시 경안로", is: "KR-41/광주시"),
        Case("광주 광산구 송정로", is: "KR-29/광산구"),
        Case("경기도 여주시", is: "KR-41/여주시"),
        Case("부산광역시 기장군", is: "KR-26/기장군"),
        // Words between province and part.
        Case("경상남도 신등면 신차로 500-3", is: "KR-48"),
        Case("경상남도 신등면 산청군", is: "KR-48/산청군"),
        Case("서울특별시 동작구상도로102", is: "KR-11"),
        // The suffix alone is not a name.
        Case("서울 구 시청 중구", is: "KR-11/중구"),
        // A repeated province is not a part.
        Case("서울특별시 서울시 중구 을지로", is: "KR-11/중구"),
        Case("부산 부산시", is: "KR-26"),
        // Sejong has no parts.
        Case("세종특별자치시 조치원읍 조치원8길 42", is: "KR-50"),
        Case("세종시 금남면 대평시장1길 17-2", is: "KR-50"),
        Case("세종 한솔구", is: "KR-50"),
        // Separators.
        Case("  서울\u{00A0}종로구\u{3000}세종대로", is: "KR-11/종로구"),
        Case("서울, 종로구, 세종대로", is: "KR-11/종로구"),
        Case("서울\n종로구", is: "KR-11/종로구"),
        // Decomposed Hangul.
        Case("서울 종로구".decomposedStringWithCanonicalMapping, is: "KR-11/종로구"),
    ]

    static let defaults: [Case] = [
        Case("마포구 동교로 194 혜원빌딩", default: .seoul, is: "KR-11/마포구"),
        Case("서울 마포구 동교로 194", default: .seoul, is: "KR-11/마포구"),
        // The address takes precedence.
        Case("부산 중구 보수동", default: .seoul, is: "KR-26/중구"),
        Case("동교로 194", default: .seoul, is: "KR-11"),
        Case("", default: .seoul, is: "KR-11"),
        Case("금남면 대평리", default: .sejong, is: "KR-50"),
        // The city in Gyeonggi has the common short name of Gwangju.
        Case("광주시 경안로 1", default: .gyeonggi, is: "KR-41/광주시"),
        Case("광주시 동구 서석동", default: .seoul, is: "KR-29/동구"),
        Case("광주시 동구 서석동", is: "KR-29/동구"),
        Case("광주광역시 동구", default: .southJeolla, is: "KR-29/동구"),
        Case("광주 동구", default: .gyeonggi, is: "KR-29/동구"),
        Case("제주시 관덕로14길 20", default: .jeju, is: "KR-49/제주시"),
    ]

    @Test(arguments: provinces + parts + defaults)
    func `the first words of an address give its region`(_ row: Case) {
        let region = KoreanAddress.region(of: row.address, default: row.defaultProvince)
        #expect(region?.text == row.region)
        if let region { #expect(RegionCode(region.text) == region) }
    }

    @Test(.proves("11.3"), arguments: KoreanProvince.allCases)
    func `every spelling of a province gives the same code`(_ province: KoreanProvince) {
        #expect(province.spellings.contains(province.name.korean))
        for spelling in province.spellings {
            #expect(KoreanAddress.region(of: spelling) == province.code, "\(spelling)")
            let part = KoreanAddress.region(of: "\(spelling) 가나구 다라로 1")
            #expect(part?.text == (province == .sejong ? "KR-50" : "\(province.rawValue)/가나구"), "\(spelling)")
        }
    }

    @Test func `the seventeen provinces have unique codes and names`() {
        let all = KoreanProvince.allCases
        #expect(all.count == 17)
        #expect(Set(all.map(\.name.english)).count == 17)
        #expect(Set(all.map(\.name.korean)).count == 17)
        #expect(all.allSatisfy { KoreanProvince(code: $0.code) == $0 })
        #expect(KoreanProvince(code: RegionCode(text: "KR-12")) == nil)
        #expect(KoreanProvince(code: RegionCode(text: "KR-11/종로구")) == nil)
    }
}

@Suite(
    .enabled(
        if: MarketAddresses.file != nil,
        "the market file is not beside the repository (../shared/places/markets-kr.csv)"
    )
)
struct MarketRegionTests {
    private static let counts: [KoreanProvince: Int] = [
        .seoul: 189, .busan: 160, .southGyeongsang: 155, .gyeonggi: 150, .northGyeongsang: 136, .daegu: 109,
        .southJeolla: 95, .gangwon: 61, .northJeolla: 57, .southChungcheong: 57, .northChungcheong: 55, .incheon: 44,
        .ulsan: 42, .daejeon: 28, .gwangju: 23, .jeju: 23, .sejong: 4,
    ]

    @Test(.proves("11.3")) func `counts the markets of each province as in the file's description`() throws {
        let rows = try MarketAddresses.rows()
        #expect(rows.count == 1_388)
        let regions = rows.compactMap { KoreanAddress.region(of: $0.address) }
        #expect(regions.count == rows.count)
        let provinces = regions.compactMap { KoreanProvince(code: $0.parent ?? $0) }
        #expect(Dictionary(grouping: provinces) { $0 }.mapValues(\.count) == Self.counts)
    }

    @Test func `both addresses of a market lie in one province`() throws {
        let rows = try MarketAddresses.rows().filter { !$0.road.isEmpty && !$0.parcel.isEmpty }
        #expect(rows.count > 1_300)
        for row in rows {
            let (road, parcel) = (KoreanAddress.region(of: row.road), KoreanAddress.region(of: row.parcel))
            #expect(road?.parent ?? road == parcel?.parent ?? parcel, "\(row)")
        }
    }

    @Test func `the parts of Seoul are its 25 districts, and Sejong has no parts`() throws {
        let regions = try Set(MarketAddresses.rows().compactMap { KoreanAddress.region(of: $0.address) })
        let seoul = regions.filter { $0.parent == KoreanProvince.seoul.code }
        #expect(seoul.count == 25)
        #expect(seoul.allSatisfy { $0.part?.last == "구" })
        #expect(!regions.contains { $0.parent == KoreanProvince.sejong.code })
    }

    /// Changed names: from the new one in the file to those in older files.
    private static let renamed = [
        "강원특별자치도": ["강원도", "강원"], "전북특별자치도": ["전라북도", "전북"], "서울특별시": ["서울", "서울시"],
        "부산광역시": ["부산", "부산시", "부산직할시"], "제주특별자치도": ["제주도", "제주"], "세종특별자치시": ["세종시", "세종"],
    ]

    @Test(.proves("11.3")) func `a market has the same region under the old name of its province`() throws {
        var compared = 0
        for address in try MarketAddresses.rows().map(\.address) {
            let name = String(address.prefix { !$0.isWhitespace })
            for old in Self.renamed[name, default: []] {
                let renamed = old + address.dropFirst(name.count)
                #expect(KoreanAddress.region(of: renamed) == KoreanAddress.region(of: address), "\(renamed)")
                compared += 1
            }
        }
        #expect(compared > 1_000)
    }
}
