import PromisedDomain
import PromisedFormats
import PromisedPlaces
import Testing

/// Searches in a directory of the real files beside the repository: markets, bicycle stations and cafés.
///
/// An independent program that shares only the rules has counted the results.
@Suite(.enabled(if: SharedFiles.places != nil, "../shared/places is absent"))
struct RealSearchTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var query: String
        var count: Int
        /// The keys of the first three names.
        var first: [String]
        var testDescription: String { query }

        init(_ query: String, _ count: Int, _ first: String...) {
            (self.query, self.count, self.first) = (query, count, first)
        }
    }

    static let rows = [
        // Words of markets, complete and partial.
        Row("시장", 200, "해도5형산시장", "가락시장역3번출구", "가락시장역롯데마트앞"),
        Row("중앙시장", 74, "중앙시장", "중앙시장", "중앙시장"),
        Row("광장시장", 1, "광장시장"),
        Row("광장", 20, "광장시장", "고척스카이돔구장광장", "구로역광장"),
        Row("통인시장", 1, "통인시장"),
        Row("통인 시장", 1, "통인시장"),
        Row("시장 통인", 1, "통인시장"),
        Row("남대문", 5, "남대문시장", "sk남산빌딩", "청계천한빛광장"),
        Row("남대문시장", 2, "남대문시장", "삼익패션타운"),
        Row("망원", 10, "망원1동주민센터", "망원2빗물펌프장앞", "망원역1번출구앞"),
        Row("망원시장", 1, "망원시장"),
        Row("망원 시장", 2, "망원시장", "망원동월드컵시장"),
        Row("5일시장", 27, "공산5일시장", "광양5일시장", "구례5일시장"),
        Row("5일장", 1, "세지5일장"),
        Row("오일장", 2, "제주시민속오일시장", "북평민속시장"),
        Row("풍물시장", 6, "풍물시장", "영산포풍물시장", "강화풍물시장"),
        Row("도깨비", 5, "도깨비시장", "공릉동도깨비시장", "방학동도깨비시장"),
        Row("상설", 14, "가야상설시장가야시장", "광영상설시장", "구례상설시장"),
        Row("국제시장", 4, "국제시장", "금산국제인삼시장금산인삼국제시장", "옥포국제시장"),
        Row("자갈치", 5, "자갈치시장", "부산자갈밭시장", "신동아수산물종합시장"),
        Row("동문시장", 2, "동문시장주", "동문시장주"),
        // While typing, and by initials.
        Row("광자", 20, "광장시장", "고척스카이돔구장광장", "구로역광장"),
        Row("광장시", 1, "광장시장"),
        Row("광ㅈ", 109, "광진경찰서", "광진광장교통섬", "광진교남단사거리디지털프라자앞"),
        Row("ㄱㅈㅅㅈ", 11, "강진시장", "가좌시장", "감전시장"),
        Row("ㄱㅈ", 155, "가재울뉴타운주유소옆", "가재울초등학교", "가좌역1번출구뒤"),
        Row("ㅅㅈ", 200, "사직동주민센터", "삼전사거리포스코더샵", "삼전역1번출구"),
        Row("ㅈㅇㅅㅈ", 99, "자유시장", "자유시장", "자유시장"),
        Row("ㅂㅅㅅㅈ", 4, "반송시장", "보성시장", "월배신시장"),
        Row("ㅎㄷㅇㄱ", 3, "홍대입구역2번출구앞", "홍대입구역8번출구앞", "하대원공설시장"),
        Row("자갈ㅊ", 5, "자갈치시장", "부산자갈밭시장", "신동아수산물종합시장"),
        // Addresses and regions.
        Row("종로 망원", 0),
        Row("종로 시장", 18, "종로꾳시장입구옆", "종로신진시장", "동대문종합시장버스정류장"),
        Row("종로구", 77, "종로구청옆", "kt혜화지사앞", "sk서린빌딩앞"),
        Row("종로구 시장", 10, "동대문종합시장버스정류장", "종로꾳시장입구옆", "광장시장"),
        Row("마포구", 85, "마포구민체육센터앞", "마포구육아종합지원센터", "마포구청앞"),
        Row("마포 역", 26, "마포역1번출구뒤", "마포역4번출구뒤", "마포구청역"),
        Row("강릉", 8, "강릉동부시장", "강릉서부시장", "강릉성남시장"),
        Row("강릉 시장", 8, "강릉동부시장", "강릉서부시장", "강릉성남시장"),
        Row("강릉시 금성로21", 1, "중앙시장"),
        Row("금성로", 3, "경주중앙시장", "북부상가시장", "중앙시장"),
        Row("자하문로15길", 1, "통인시장"),
        Row("동교로8길 58", 1, "구합정동주민센터"),
        Row("해운대", 10, "해운대시장", "반송골목시장", "반송큰시장반송2동시장"),
        Row("제주", 25, "제주시민속오일시장", "제주동문수산시장", "제주시동문공설시장"),
        Row("서귀포", 7, "서귀포향토오일시장", "서귀포매일올레시장", "고성오일시장"),
        Row("울릉", 0),
        // Stations: names with numbers and brackets.
        Row("합정동", 1, "구합정동주민센터"),
        Row("합정동 주민", 1, "구합정동주민센터"),
        Row("합정역", 3, "합정역1번출구앞", "합정역5번출구앞", "합정역7번출구앞"),
        Row("역 출구", 200, "르네상스호텔사거리역삼지하보도2번출구", "르네상스호텔사거리역삼지하보도3번출구앞더오번빌딩명동칼국수앞", "르네상스호텔사거리역삼지하보도7번출구앞"),
        Row("1번출구", 77, "개봉역1번출구자전거보관서쪽", "공릉역1번출구앞", "광화문역1번출구앞"),
        Row("101", 33, "방배래미안아트힐101동앞", "번동두산위브101동옆", "위례아이파크101동맞은편"),
        Row("2334", 0),
        Row("7", 200, "가산디지털단지7번출구", "강일리버파크711단지", "경복궁역7번출구앞"),
        Row("역", 200, "역삼동sk뷰501동앞", "역삼동디오슈페리움우성아파트사거리", "역삼빌딩앞하나은행옆"),
        // Latin letters: case, width, accents, one letter.
        Row("starbucks", 200, "starbucks", "starbucks", "starbucks"),
        Row("STARBUCKS", 200, "starbucks", "starbucks", "starbucks"),
        Row("ＳＴＡＲＢＵＣＫＳ", 200, "starbucks", "starbucks", "starbucks"),
        Row("Starbucks Coffee", 20, "starbuckscoffee", "starbuckscoffee", "starbuckscoffee"),
        Row("doutor", 115, "doutor", "doutor", "doutor"),
        Row("cafe", 200, "cafe", "cafe10", "cafe1571"),
        Row("Café", 200, "cafe", "cafe10", "cafe1571"),
        Row("CAFÉ DE", 99, "cafede10番", "cafedebeans", "cafedebore"),
        Row("a", 200, "a2", "aandavectorworkscafejapan", "airvit"),
        Row("z", 28, "zacafe", "zazi", "01zeroone"),
        // Japanese, in full and in half width.
        Row("スターバックス", 200, "スターバックス", "スターバックス", "スターバックス"),
        Row("スターバックス コーヒー", 21, "スターバックスコーヒー", "スターバックスコーヒー", "スターバックスコーヒー"),
        Row("コーヒー", 200, "コーヒーの店えみ", "コーヒーの店杉", "コーヒーむぎ"),
        Row("ｺｰﾋｰ", 200, "コーヒーの店えみ", "コーヒーの店杉", "コーヒーむぎ"),
        Row("珈琲", 200, "珈琲bell", "珈琲あらびか", "珈琲かわい"),
        Row("喫茶", 102, "喫茶moca珈琲店", "喫茶sabou", "喫茶あいせき"),
        Row("カフェ", 200, "カフェlautrec", "カフェあったcafeatta", "カフェみるく"),
        Row("ｶﾌｪ", 200, "カフェlautrec", "カフェあったcafeatta", "カフェみるく"),
        Row("ドトール", 200, "ドトール", "ドトール", "ドトール"),
        Row("タリーズ", 78, "タリーズ", "タリーズ", "タリーズ"),
        Row("スタバ", 0),
        // Languages and words that no name has.
        Row("책방", 0),
        Row("서점", 0),
    ]

    private static let index = Result {
        var places: [DirectoryPlace] = []
        for (file, preset) in [
            ("markets-kr.csv", "markets-kr"), ("bikes-seoul.csv", "bikes-seoul"), ("cafes-jp.geojson", "osm-geojson"),
        ] {
            let bytes = try SharedFiles.bytes(file)
            var detector = EncodingDetector()
            detector.look(at: bytes)
            var preset = try ImportPreset.shipped(preset)
            preset.mapping.defaultCategory = preset.mapping.defaultCategory ?? "cafe"
            let rows = try PlaceFile(
                [bytes],
                preset.format ?? .csv,
                encoding: preset.encoding ?? detector.encoding,
                mapping: preset.mapping
            )
            for row in rows.places {
                let place = try ImportedPlace(row)
                let listing = PlaceListing(
                    id: PlaceID(high: 1, low: UInt64(places.count)),
                    name: place.name,
                    address: place.address,
                    coordinate: place.coordinate,
                    categories: place.categories,
                    region: place.region,
                    source: "real",
                    revision: 1
                )
                places.append(
                    DirectoryPlace(
                        listing: listing,
                        ref: place.ref,
                        names: place.names,
                        updatedAt: Instant(milliseconds: 0)
                    )
                )
            }
        }
        return PlaceIndex(places, version: 1)
    }

    @Test(arguments: rows)
    func `finds all places with a text, each once, the best first`(row: Row) throws {
        let index = try Self.index.get()
        let search = PlaceIndex.Search(try PlaceQuery(row.query))
        var (found, cursor): ([PlacePage.Entry], PlaceCursor?) = ([], nil)
        repeat {
            let page = index.search(search, limit: 30, after: cursor)
            found += page.entries
            cursor = page.cursor
        } while cursor != nil
        #expect(found.count == row.count)
        #expect(Set(found.map { index.id(of: $0.row) }).count == found.count)
        #expect(found.map(\.grade) == found.map(\.grade).sorted())
        #expect(found.prefix(3).map { TextKey(index.listing(of: $0.row).name).description } == row.first)
    }

    @Test(
        arguments: [
            (String(repeating: "시", count: 60), nil), (String(repeating: "시", count: 61), .length(61)),
            ("시장 통인 종로 서울 자하문로", nil), ("시장 통인 종로 서울 자하문로 15길", .terms(6)), ("…!?·", .nothingToFind),
            ("   ", .length(0)),
        ] as [(String, PlaceQuery.Problem?)]
    )
    func `accepts texts of 1 to 60 characters and 1 to 5 searchable words`(
        text: String,
        problem: PlaceQuery.Problem?
    ) {
        #expect(problem == Self.problem(of: text))
    }

    /// Why a text is not a query; nil if it is one.
    private static func problem(of text: String) -> PlaceQuery.Problem? {
        do throws(PlaceQuery.Problem) {
            _ = try PlaceQuery(text)
            return nil
        } catch {
            return error
        }
    }

    /// Around 종로5가, 37.57° N 127.0° E; without the weighing the first was 해도5(형산)시장 in 포항, 272 km away.
    @Test(arguments: [
        ("시장", 1_000.0), ("중앙시장", 25_000), ("광장시장", 1_000), ("종로", 1_000), ("남대문시장", 3_000), ("ㅅㅈ", 1_000),
    ])
    func `the first result around a point in Seoul is near it`(text: String, metres: Double) throws {
        let page = try Self.page(text, near: Coordinate(latitude: 37.57, longitude: 127))
        let first = try #require(page.entries.first)
        #expect((first.distanceMetres ?? .infinity) <= metres, "\(page.entries.prefix(5))")
    }

    @Test func `a market of exactly that name is found from the other end of the country`() throws {
        let page = try Self.page("광장시장", near: Coordinate(latitude: 33.5, longitude: 126.5))
        let first = try #require(page.entries.first)
        #expect(try Self.index.get().listing(of: first.row).name == "광장시장")
    }

    @Test func `orders results around a point by distance and grade`() throws {
        let page = try Self.page("시장", near: Coordinate(latitude: 37.5796, longitude: 126.9770))
        let weighted = page.entries.map { entry in
            (0..<entry.grade).reduce(250 + (entry.distanceMetres ?? .infinity)) { metres, _ in metres * 4 }
        }
        #expect(weighted == weighted.sorted())
        #expect(Set(page.entries.map(\.grade)).count > 1)
        let index = try Self.index.get()
        #expect(page.entries.prefix(10).contains { index.listing(of: $0.row).name == "통인시장" })
    }

    private static func page(_ text: String, near: Coordinate) throws -> PlacePage {
        try index.get().search(PlaceIndex.Search(try PlaceQuery(text), near: near), limit: 100)
    }
}
