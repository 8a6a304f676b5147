import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import Testing

/// Searches as people type them, with the results among a few invented places.
@Suite struct SearchTableTests {
    private static let places: [(name: String, other: String, address: String, region: String, latitude: Double)] = [
        ("광장시장", "Gwangjang Market", "서울특별시 종로구 창경궁로 88", "KR-11/종로구", 37.570),
        ("광장", "", "부산광역시 중구 광복로 1", "KR-26/중구", 35.100),
        ("새벽광장", "", "서울특별시 마포구 망원로 12-3", "KR-11/마포구", 37.555),
        ("통인 시장", "", "서울특별시 종로구 자하문로15길 18", "KR-11/종로구", 37.581),
        ("오월의 책방", "May Books", "서울특별시 마포구 망원로 88", "KR-11/마포구", 37.556),
        ("책방 하루", "", "경기도 수원시 팔달구 정조로 7", "KR-41/수원시", 37.280),
        ("카페 라떼", "Café Latté", "서울특별시 종로구 종로 120", "KR-11/종로구", 37.571),
        ("호수다방 종로점", "LAKE COFFEE", "서울특별시 종로구 종로 3", "KR-11/종로구", 37.572),
        ("みずうみカフェ", "Lake Coffee Kanda", "東京都千代田区神田神保町1-2-3", "JP-13/千代田区", 35.695),
        ("レイクコーヒー", "", "東京都渋谷区道玄坂2-1", "JP-13/渋谷区", 35.658),
        ("GS 25 도서관", "", "대전광역시 유성구 대학로 99", "KR-30/유성구", 36.362),
        ("자전거 보관소 7호", "", "", "", 37.500),
    ]

    struct Row: CustomTestStringConvertible, Sendable {
        var query: String
        var names: [String]
        var testDescription: String { query }

        init(_ query: String, _ names: String...) {
            (self.query, self.names) = (query, names)
        }
    }

    /// In the order of grade, then name: all places have one category.
    static let rows = [
        // Names, parts of names, two syllables.
        Row("광장", "광장", "광장시장", "새벽광장"),
        Row("시장", "통인 시장", "광장시장"),
        Row("책방", "책방 하루", "오월의 책방"),
        Row("통인시장", "통인 시장"),
        Row("통인 시장", "통인 시장"),
        Row("광장 시장", "광장시장"),
        Row("시장 광장", "광장시장"),
        Row("다방", "호수다방 종로점"),
        Row("종로점", "호수다방 종로점"),
        // While typing.
        Row("광ㅈ", "광장", "광장시장", "새벽광장"),
        Row("광자", "광장", "광장시장", "새벽광장"),
        Row("광장시", "광장시장"),
        Row("광장시자", "광장시장"),
        Row("책바", "책방 하루", "오월의 책방"),
        Row("보고", "자전거 보관소 7호"),
        Row("통이", "통인 시장"),
        // Initials.
        Row("ㄱㅈㅅㅈ", "광장시장"),
        Row("ㅅㅈ", "통인 시장", "광장시장"),
        Row("ㅊㅂ", "책방 하루", "오월의 책방"),
        Row("ㅌㅇㅅㅈ", "통인 시장"),
        Row("ㄱㅈ ㅅㅈ", "광장시장"),
        Row("ㅎㅅ 종로", "호수다방 종로점"),
        Row("ㅁㅇㄹ"),
        // Latin letters: case, width, diacritics, other names.
        Row("market", "광장시장"),
        Row("MARKET", "광장시장"),
        Row("ｍａｒｋｅｔ", "광장시장"),
        Row("gwang", "광장시장"),
        Row("books", "오월의 책방"),
        Row("cafe latte", "카페 라떼"),
        Row("CAFÉ", "카페 라떼"),
        Row("lake", "みずうみカフェ", "호수다방 종로점"),
        Row("lake kanda", "みずうみカフェ"),
        Row("coffee 종로", "호수다방 종로점"),
        // Japanese, in full and in half width.
        Row("カフェ", "みずうみカフェ"),
        Row("ｶﾌｪ", "みずうみカフェ"),
        Row("レイク", "レイクコーヒー"),
        Row("ﾚｲｸｺｰﾋｰ", "レイクコーヒー"),
        Row("コーヒ", "レイクコーヒー"),
        Row("神田", "みずうみカフェ"),
        Row("神保町1-2", "みずうみカフェ"),
        Row("東京都 カフェ", "みずうみカフェ"),
        Row("カブェ"),
        // Addresses, numbers, regions.
        Row("망원로", "새벽광장", "오월의 책방"),
        Row("망원로 88", "오월의 책방"),
        Row("망원로88", "오월의 책방"),
        Row("창경궁로 88", "광장시장"),
        Row("88", "광장시장", "오월의 책방"),
        Row("12", "みずうみカフェ", "새벽광장", "카페 라떼"),
        Row("15길", "통인 시장"),
        Row("마포구", "새벽광장", "오월의 책방"),
        Row("마포 책방", "오월의 책방"),
        Row("책방 마포", "오월의 책방"),
        Row("수원 책", "책방 하루"),
        Row("서울특별시종로구종로3", "호수다방 종로점"),
        Row("종로 망원"),
        Row("KR-41", "책방 하루"),
        // Digits, one letter, punctuation.
        Row("25", "GS 25 도서관"),
        Row("GS25", "GS 25 도서관"),
        Row("gs-25", "GS 25 도서관"),
        Row("7호", "자전거 보관소 7호"),
        Row("통", "통인 시장"),
        Row("ㅍ", "카페 라떼", "새벽광장", "오월의 책방", "책방 하루"),
        Row("y", "오월의 책방"),
        Row("z"),
        Row("책방, 하루!", "책방 하루"),
        Row("a b c d e"),
        Row("광장시장광장시장광장시장광장시장광장시장광장시장광장시장광장시장광장시장광장시장광장시장광장시장광장시장광장시장광장시장"),
    ]

    private static let index = index(of: places)

    private static func index(
        of places: [(name: String, other: String, address: String, region: String, latitude: Double)]
    ) -> PlaceIndex {
        var generator = SeededGenerator(seed: 1)
        return PlaceIndex(
            places.map { place in
                let listing = PlaceListing(
                    id: PlaceID(at: Instant(milliseconds: 0), using: &generator),
                    name: place.name,
                    address: place.address,
                    coordinate: Coordinate(latitude: place.latitude, longitude: 127),
                    categories: [CategoryID(text: "other")],
                    region: place.region.isEmpty ? nil : RegionCode(text: place.region),
                    source: "own",
                    revision: 1
                )
                return DirectoryPlace(
                    listing: listing,
                    ref: place.name,
                    names: place.other.isEmpty ? [] : [.init(language: "en", name: place.other)],
                    updatedAt: Instant(milliseconds: 0)
                )
            },
            version: 1
        )
    }

    @Test(.proves("11.13"), arguments: rows)
    func `finds the matching places, the best first`(row: Row) throws {
        let page = Self.index.search(PlaceIndex.Search(try PlaceQuery(row.query)), limit: 20)
        #expect(page.entries.map { Self.index.listing(of: $0.row).name } == row.names)
    }

    /// The distances from 35.2° N, 127° E: 광장 11 km, 광장시장 264 km, 새벽광장 262 km.
    @Test(.proves("11.13"))
    func `orders a search around a point by distance and grade`() throws {
        let near = Coordinate(latitude: 35.2, longitude: 127)
        let page = Self.index.search(PlaceIndex.Search(try PlaceQuery("ㅅ"), near: near), limit: 20)
        #expect(Set(page.entries.map(\.grade)).count > 1)
        for (left, right) in zip(page.entries, page.entries.dropFirst()) {
            #expect(weighted(left) <= weighted(right))
        }
        let first = Self.index.search(PlaceIndex.Search(try PlaceQuery("광자"), near: near), limit: 1)
        #expect(first.entries.map { Self.index.listing(of: $0.row).name } == ["광장"])
        #expect(first.cursor != nil)
    }

    private func weighted(_ entry: PlacePage.Entry) -> Double {
        (0..<entry.grade).reduce(250 + (entry.distanceMetres ?? .infinity)) { metres, _ in metres * 4 }
    }

    /// 광장 is exact, 광장시장 begins with the text, 새벽광장 contains it.
    @Test(
        .proves("11.13"),
        arguments: [
            // At the last: its (0 + 250) × 64 are more than 250 m + 15.7 km, and less than 250 m + 15.8 km.
            (37.555 - 0.1412, ["광장", "새벽광장"]), (37.555 - 0.1421, ["새벽광장", "광장"]),
        ]
    )
    func `an exact name precedes a match inside a name only while it is not far away`(
        latitude: Double,
        names: [String]
    ) throws {
        let places = [("광장", latitude), ("새벽광장", 37.555)]
        let index = Self.index(of: places.map { (name: $0.0, other: "", address: "", region: "", latitude: $0.1) })
        let near = Coordinate(latitude: 37.555, longitude: 127)
        let page = index.search(PlaceIndex.Search(try PlaceQuery("광장"), near: near), limit: 20)
        #expect(page.entries.map { index.listing(of: $0.row).name } == names)
    }

    /// 256 rows are searched at a time: the first ones fill the page with matches inside names.
    @Test func `finds a word in a name and another in the address behind a full page of worse matches`() throws {
        var places = (0..<600).map { number in
            (name: "새벽\(number)책방종로", other: "", address: "", region: "", latitude: 30 + Double(number) / 100)
        }
        places.append((name: "책방 하루", other: "", address: "서울특별시 종로구", region: "", latitude: 37.57))
        let index = Self.index(of: places)
        for near in [nil, Coordinate(latitude: 37.57, longitude: 127)] {
            let page = index.search(PlaceIndex.Search(try PlaceQuery("책방 종로"), near: near), limit: 5)
            #expect(page.entries.first.map { index.listing(of: $0.row).name } == "책방 하루")
        }
    }

    @Test func `finds a region by the builder's words`() throws {
        var builder = PlaceIndexBuilder()
        let row = Self.index.row(
            of: Self.index.id(of: Self.index.search(.init(try PlaceQuery("오월")), limit: 1).entries[0].row)
        )
        builder.add(Self.index.listing(of: try #require(row)))
        let index = builder.index(version: 1) { $0.text == "KR-11/마포구" ? "Seoul" : "" }
        #expect(index.search(.init(try PlaceQuery("seoul 책방")), limit: 5).entries.count == 1)
        #expect(index.search(.init(try PlaceQuery("KR-11")), limit: 5).entries.isEmpty)
    }
}
