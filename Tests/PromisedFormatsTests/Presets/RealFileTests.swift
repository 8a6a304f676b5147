import Foundation
import PromisedDomain
import PromisedFormats
import PromisedPlaces
import PromisedTestMarks
import Testing

/// The presets on the real files beside the repository, with the figures of their README.
@Suite(.enabled(if: SharedFiles.places != nil, "../shared/places is absent"))
struct RealFileTests {
    private static func file(
        _ name: String,
        preset: String,
        category: String? = nil,
        as change: ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> PlaceFile {
        let bytes = change(try SharedFiles.bytes(name))
        var detector = EncodingDetector()
        detector.look(at: bytes)
        var preset = try ImportPreset.shipped(preset)
        if let category { preset.mapping.defaultCategory = category }
        var numbers = SeededNumbers(seed: 1)
        return try PlaceFile(
            bytes.cut(longest: 100_000, with: &numbers),
            preset.format ?? .csv,
            encoding: preset.encoding ?? detector.encoding,
            mapping: preset.mapping
        )
    }

    @Test(.proves("12.2")) func `accepts 1,372 markets of Korea and rejects 16 without a position`() throws {
        let file = try Self.file("markets-kr.csv", preset: "markets-kr")
        #expect(file.tally.taken == 1_372)
        #expect(file.tally.refused == [.noPosition: 16])
        #expect(file.tally.advice == nil)
        let place = try #require(file.places.first)
        #expect(place.name == "중앙시장" && place.line == 2)
        #expect(place.address == "강원특별자치도 강릉시 금성로21" && place.phone == "033-648-4477")
        #expect(place.coordinate == Coordinate(latitude: 37.75401611, longitude: 128.8986236))
        #expect(place.categories == ["market/permanent"] && place.hours == "Mo-Su")
        #expect(place.facts.map(\.key) == ["stalls", "goods", "toilet", "parking", "opened"])
        #expect(place.facts.map(\.value).last == "1980")
    }

    /// The figures count all 1,388 rows, so the 16 without a position get one here.
    @Test func `types and cycles of the markets equal those of the README`() throws {
        let file = try Self.file("markets-kr.csv", preset: "markets-kr") { bytes in
            var text = try? TextDecoder(.cp949)
            var decoded: [UInt8] = []
            text?.decode(bytes, into: &decoded)
            let rows = CSVReader.records(of: String(decoding: decoded, as: UTF8.self)).enumerated().map {
                index,
                record in
                var fields = record.fields
                if fields[5].isEmpty { (fields[5], fields[6]) = ("1", "\(index % 90)") }
                return fields
            }
            return Array(CSVWriter.text(of: rows).utf8)
        }
        #expect(file.places.count == 1_388)
        let types = Dictionary(grouping: file.places, by: \.categories).mapValues(\.count)
        #expect(
            types == [
                ["market/permanent"]: 972, ["market/permanent", "market/periodic"]: 282, ["market/periodic"]: 134,
            ]
        )
        let cycles = Dictionary(grouping: file.places) { place in
            place.facts.first { $0.key == "market-days" }.map { "day \($0.value)" } ?? place.hours
        }
        #expect(
            cycles.mapValues(\.count) == [
                "Mo-Su": 972, "day 2,7": 91, "day 5,0": 90, "day 4,9": 84, "day 3,8": 82, "day 1,6": 68,
                "day 2,4,7,9": 1,
            ]
        )
        #expect(file.places.allSatisfy { $0.hours == "Mo-Su" || $0.categories == ["market/periodic"] })
    }

    /// Of the data in `../shared/places` only the cycles of markets are Korean hours; all seven kinds are readable.
    @Test func `every cycle of the markets becomes readable hours`() throws {
        let hours = Set(try Self.file("markets-kr.csv", preset: "markets-kr").places.map(\.hours))
        #expect(hours.count > 5 && hours.allSatisfy { OpeningHours($0) != nil })
    }

    @Test func `adds a scheme to websites of the markets and omits other texts`() throws {
        let sites = try Self.file("markets-kr.csv", preset: "markets-kr").places.map(\.website).filter { !$0.isEmpty }
        #expect(sites.allSatisfy { $0.hasPrefix("http://") || $0.hasPrefix("https://") })
        #expect(sites.contains("http://산본전통시장.kr"))
        #expect(!sites.contains { $0.contains("DGEMC") || $0.contains(" ") })
        // Three of 120 texts are not addresses.
        #expect(sites.count == 117)
    }

    @Test(.proves("12.2")) func `reads equal places from a file in CP949, in UTF-8 and with a byte order mark`() throws
    {
        let original = try Self.file("markets-kr.csv", preset: "markets-kr")
        let utf8 = { (bytes: [UInt8]) -> [UInt8] in
            guard var decoder = try? TextDecoder(.cp949) else { return [] }
            var text: [UInt8] = []
            decoder.decode(bytes, into: &text)
            return text
        }
        let converted = try Self.file("markets-kr.csv", preset: "markets-kr", as: utf8)
        let marked = try Self.file("markets-kr.csv", preset: "markets-kr") { [0xEF, 0xBB, 0xBF] + utf8($0) }
        let sixteen = try Self.file("markets-kr.csv", preset: "markets-kr") { bytes in
            [0xFF, 0xFE]
                + String(decoding: utf8(bytes), as: UTF8.self).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        }
        for file in [converted, marked, sixteen] {
            #expect(file.places == original.places)
            #expect(file.refusals == original.refusals)
        }
    }

    @Test(.proves("12.2"))
    func `accepts 1,540 bicycle stations and rejects the total at the end`() throws {
        let file = try Self.file("bikes-seoul.csv", preset: "bikes-seoul")
        #expect(file.tally.taken == 1_540)
        #expect(file.words == ["1542 no-name"])
        // Station 2334 has no name: its address replaces it.
        #expect(file.places.first { $0.ref == "2334" }?.name == "서울특별시 강남구 선릉로 지하 228")
        let place = try #require(file.places.first)
        #expect(place.ref == "101" && place.name == "(구)합정동 주민센터" && place.region == "KR-11/마포구")
        #expect(place.categories == ["bicycle/rental"])
        #expect(file.places.allSatisfy { $0.facts.map(\.key) == ["racks", "opened"] })
    }

    @Test(.proves("12.2")) func `accepts 3,087 cafés of Japan and rejects 239 without a name and 4 duplicates`() throws
    {
        let file = try Self.file("cafes-jp.geojson", preset: "osm-geojson", category: "cafe")
        #expect(file.tally.taken == 3_087)
        #expect(file.tally.refused == [.noName: 239, .duplicate: 4])
        #expect(file.refusals.first?.line == 17 && file.refusals.first?.reason == .noName)
        #expect(file.places.contains { $0.name == "多摩ワールドコーヒー" })
        #expect(file.places.contains { $0.name == "珈琲店 再願" })
        #expect(file.places.allSatisfy { !$0.name.unicodeScalars.contains { $0.value < 0x20 } })
    }

    @Test func `rejects the cafés without a category`() throws {
        let file = try Self.file("cafes-jp.geojson", preset: "osm-geojson")
        #expect(file.tally.refused == [.noName: 239, .noCategory: 3_091])
    }

    @Test(.proves("12.3")) func `detects exchanged columns of the markets`() throws {
        let bytes = try SharedFiles.bytes("markets-kr.csv")
        var mapping = try ImportPreset.shipped("markets-kr").mapping
        try mapping.map(option: "latitude=경도")
        try mapping.map(option: "longitude=위도")
        let file = try PlaceFile([bytes], encoding: .cp949, mapping: mapping)
        #expect(file.tally.refused == [.noPosition: 16, .badPosition: 1_372])
        #expect(file.tally.advice?.hasPrefix("1372 of 1372 positions are out of range") == true)
    }

    @Test func `reads half of the rows from half of the markets and rejects the truncated one`() throws {
        let whole = try Self.file("markets-kr.csv", preset: "markets-kr")
        let half = try Self.file("markets-kr.csv", preset: "markets-kr") { Array($0.prefix($0.count / 2)) }
        #expect(half.words.last?.hasSuffix(" columns") == true)
        #expect(half.places == Array(whole.places.prefix(half.places.count)))
        #expect((600...800).contains(half.places.count))
    }

    @Test func `stops in half of the cafés at the line of the document's end`() throws {
        let error = #expect(throws: FormatError.self) {
            try Self.file("cafes-jp.geojson", preset: "osm-geojson", category: "cafe") {
                Array($0.prefix($0.count / 2))
            }
        }
        #expect(error?.description.hasSuffix("the document breaks off inside its rows") == true)
    }

    @Test func `reads the latitude of a bookshop of Seoul from the column named after x`() throws {
        let row = """
            {"TbSlibBookstoreInfo":{"list_total_count":1,"RESULT":{"CODE":"INFO-000"},"row":[{"STORE_SEQ_NO":2283.0,\
            "STORE_NAME":"1984","GU_CODE":"313","CODE_VALUE":"마포구","ADRES":"마포구 동교로 194 혜원빌딩",\
            "TEL_NO":"02-325-1984","HMPG_URL":"","STORE_TYPE":"0002","STORE_TYPE_NAME":"새책방      ",\
            "XCNTS":"37.5573847248586","YDNTS":"126.922886096614","SNS":"https://www.instagram.com/1984store"}]}}
            """
        let preset = try ImportPreset.shipped("bookshops-seoul")
        let file = try PlaceFile(row, try #require(preset.format), mapping: preset.mapping)
        let place = try #require(file.places.first)
        #expect(place.ref == "2283" && place.name == "1984")
        #expect(place.coordinate == Coordinate(latitude: 37.5573847248586, longitude: 126.922886096614))
        #expect(place.address == "서울특별시 마포구 동교로 194 혜원빌딩" && place.region == "KR-11/마포구")
        #expect(place.categories == ["bookshop/new"] && place.phone == "02-325-1984")
        #expect(place.website == "" && place.social == "https://www.instagram.com/1984store")
    }

    @Test func `bicycle facilities get their category from their name, and hours as the service writes them`() throws {
        let rows = [
            ("공기주입기", ""), ("자전거 보관소", "평일 09:00 ~ 18:00"), ("마포구 자전거교실", "24시간"), ("대여소", "문의"),
        ].map { name, hours in
            """
            {"RNUM":"1","COT_COORD_Y":"37.5","COT_COORD_X":"127.0","COT_CONTS_NAME":"\(name)","COT_VALUE_01":"\(hours)",\
            "COT_ADDR_FULL_NEW":"서울특별시 중구 세종대로 110"}
            """
        }
        let text = "{\"tvBicycleEtc\":{\"row\":[\(rows.joined(separator: ","))]}}"
        let preset = try ImportPreset.shipped("bicycle-seoul")
        let file = try PlaceFile(text, try #require(preset.format), mapping: preset.mapping)
        #expect(
            file.places.map(\.categories) == [["bicycle/air"], ["bicycle/parking"], ["other"], ["bicycle/rental"]]
        )
        #expect(file.places.map(\.hours) == ["24/7", "Mo-Fr 09:00-18:00; PH off", "24/7", "문의"])
        #expect(file.refusals.isEmpty)
    }

    @Test(arguments: [
        ("https://www.instagram.com/1984store", "https://www.instagram.com/1984store", 0),
        ("@1984store", "https://www.instagram.com/1984store", 0),
        ("1984store", "https://www.instagram.com/1984store", 0),
        ("인스타그램: 1984.store", "https://www.instagram.com/1984.store", 0),
        ("Facebook @1984", "https://www.facebook.com/1984", 0),
        ("네이버 블로그 : store84", "https://blog.naver.com/store84", 0),
        ("blog.naver.com/store84", "http://blog.naver.com/store84", 0),
        ("instagram", "https://www.instagram.com/instagram", 0),
        ("@", "", 1), ("카카오톡 채널 책방", "", 1), ("@책방", "", 1), ("a b", "", 1), ("", "", 0),
        ("@" + String(repeating: "a", count: 51), "", 1),
    ])
    func `handles of a bookshop in social networks become links, other texts are counted`(
        text: String,
        link: String,
        omitted: Int
    ) throws {
        let row = """
            {"TbSlibBookstoreInfo":{"row":[{"STORE_SEQ_NO":1,"STORE_NAME":"1984","CODE_VALUE":"마포구","ADRES":"마포구 1",\
            "STORE_TYPE":"0002","XCNTS":"37.5","YDNTS":"126.9","SNS":"\(text)"}]}}
            """
        let preset = try ImportPreset.shipped("bookshops-seoul")
        let file = try PlaceFile(row, try #require(preset.format), mapping: preset.mapping)
        #expect(file.places.map(\.social) == [link] && file.tally.omittedLinks == omitted)
    }

    @Test func `the market service gives the same places as the file of the standard data set`() throws {
        let item = """
            {"mrktNm":"중앙시장","mrktType":"상설장+5일장","rdnmadr":"강원특별자치도 강릉시 금성로21","lnmadr":"","mrktEstblCycle":"2일+7일",\
            "latitude":"37.75401611","longitude":"128.8986236","storNumber":"276","trtmntPrdlst":"농산물+수산물","useGcct":"",\
            "homepageUrl":"","pblicToiletYn":"Y","prkplceYn":"N","estblYear":"1980","phoneNumber":"033-648-4477",\
            "referenceDate":"2024-11-04","insttCode":"B553077","insttNm":"소상공인시장진흥공단"}
            """
        let json = #"{"response":{"header":{"resultCode":"00"},"body":{"items":["# + item + #"],"totalCount":"1"}}}"#
        let csv = """
            시장명,시장유형,소재지도로명주소,소재지지번주소,시장개설주기,위도,경도,점포수,취급품목,사용가능상품권,홈페이지주소,공중화장실보유여부,주차장보유여부,개설연도,전화번호
            중앙시장,상설장+5일장,강원특별자치도 강릉시 금성로21,,2일+7일,37.75401611,128.8986236,276,농산물+수산물,,,Y,N,1980,033-648-4477
            """
        let service = try ImportPreset.shipped("markets-kr-service")
        let standard = try ImportPreset.shipped("markets-kr")
        #expect(service.source.name == standard.source.name)
        let one = try PlaceFile(json, try #require(service.format), mapping: service.mapping)
        let other = try PlaceFile(csv, try #require(standard.format), mapping: standard.mapping)
        var (place, expected) = (try #require(one.places.first), try #require(other.places.first))
        (place.line, expected.line) = (0, 0)
        #expect(place == expected && place.ref.hasPrefix("~"))
    }

    @Test(arguments: [
        ("2026-11-20", "2026-12-10", "2026 Nov 20-2026 Dec 10"), ("20261120", "20261120", "2026 Nov 20"),
        ("2026.11.20", "", "2026 Nov 20"), ("2026-12-30 00:00:00", "2027/1/2", "2026 Dec 30-2027 Jan 2"),
        // Not in this order, no dates: people see them as they are.
        ("2026-12-10", "2026-11-20", "2026-12-10 ~ 2026-11-20"), ("2026-02-30", "", "2026-02-30"),
        ("11월 중", "", "11월 중"),
        ("", "2026-12-10", ""),
    ])
    func `hours of a festival are its days`(first: String, last: String, hours: String) throws {
        let csv = """
            축제명,개최장소,축제시작일자,축제종료일자,주관기관명,전화번호,홈페이지주소,소재지도로명주소,소재지지번주소,위도,경도
            빛축제,광장,\(first),\(last),시청,02-120,light.kr,,서울특별시 중구 태평로1가 31,37.5665,126.978
            """
        let json = """
            {"response":{"body":{"items":[{"fstvlNm":"빛축제","opar":"광장","fstvlStartDate":"\(first)","fstvlEndDate":"\(last)",\
            "mnnstNm":"시청","phoneNumber":"02-120","homepageUrl":"light.kr","rdnmadr":"",\
            "lnmadr":"서울특별시 중구 태평로1가 31","latitude":"37.5665","longitude":"126.978"}]}}}
            """
        for (name, text) in [("festivals-kr", csv), ("festivals-kr-service", json)] {
            let preset = try ImportPreset.shipped(name)
            let file = try PlaceFile(text, try #require(preset.format), mapping: preset.mapping)
            let place = try #require(file.places.first)
            #expect(place.hours == hours && place.categories == ["event"], "\(name)")
            #expect(place.address == "서울특별시 중구 태평로1가 31" && place.website == "http://light.kr")
            #expect(place.facts.map(\.value) == ["광장", "시청"])
            let isDates = hours.hasPrefix("2026 ")
            #expect((OpeningHours(hours) != nil) == isDates)
        }
    }

    @Test func `a preset with the last day's column needs that column`() throws {
        let preset = try ImportPreset.shipped("festivals-kr")
        let csv = "축제명,위도,경도,소재지도로명주소,축제시작일자,전화번호,홈페이지주소,개최장소,주관기관명\na,1,2,b,2026-01-01,,,,\n"
        let error = #expect(throws: FormatError.self) { try PlaceFile(csv, .csv, mapping: preset.mapping) }
        #expect(error?.description.contains("no column 축제종료일자 for hours") == true)
    }

    @Test(arguments: ["herne", "hamburg", "koeln"])
    func `markets of German towns have their hours from GeoJSON`(town: String) throws {
        let bytes = try SharedFiles.bytes("hours/\(town).json")
        let mapping = try PlaceMapping(
            "name=title",
            "hours=opening_hours",
            "address=location",
            category: "market/periodic"
        )
        let file = try PlaceFile([bytes], .geoJSON, mapping: mapping)
        #expect(file.refusals.isEmpty && !file.places.isEmpty)
        #expect(file.places.allSatisfy { !$0.hours.isEmpty && (50...54).contains($0.coordinate.latitude) })
    }
}
