import PromisedDomain
import PromisedPlaces

/// The texts of synthetic places.
struct SyntheticText: Sendable {
    /// A kind of place with its relative frequency.
    struct Kind: Sendable {
        var share: Double
        var categories: [CategoryID]
        var source: String
        /// The endings of the kind's names, in Korean, Japanese and English.
        var korean: String
        var japanese: String
        var english: String
        /// `true` if there are chains of the kind.
        var hasChains: Bool
    }

    private let kinds: [Kind] = kindRows.map { row in
        Kind(
            share: row.0,
            categories: row.1.split(separator: " ").map { CategoryID(text: String($0)) },
            source: row.2,
            korean: row.3,
            japanese: row.4,
            english: row.5,
            hasChains: row.6
        )
    }

    func kind(using generator: inout SeededGenerator) -> Kind {
        var draw = generator.fraction()
        for kind in kinds {
            if draw < kind.share { return kind }
            draw -= kind.share
        }
        return kinds[0]
    }

    func name(of kind: Kind, in town: SyntheticTown, using generator: inout SeededGenerator) -> String {
        switch town.country {
        case .korea:
            if kind.hasChains, generator.chance(0.25) {
                let chain = SyntheticText.chains[Int(generator.fraction() * 6)]
                return
                    "\(chain) \(word(SyntheticText.koreanSyllables, 2, &generator))\(generator.chance(0.5) ? "" : "역")점"
            }
            let word = word(SyntheticText.koreanSyllables, generator.chance(0.3) ? 3 : 2, &generator)
            return generator.chance(0.6) ? word + kind.korean : "\(word) \(kind.korean)"
        case .japan:
            let word = word(SyntheticText.japaneseSyllables, generator.chance(0.3) ? 3 : 2, &generator)
            return generator.chance(0.5) ? kind.japanese + word : "\(word)\(kind.japanese) \(town.name.dropLast())店"
        }
    }

    func otherNames(of kind: Kind, using generator: inout SeededGenerator) -> [DirectoryPlace.Name] {
        guard generator.chance(0.12) else { return [] }
        let word = word(SyntheticText.latinSyllables, 3, &generator)
        return [
            DirectoryPlace.Name(
                language: "en",
                name: "\(word.prefix(1).uppercased())\(word.dropFirst()) \(kind.english)"
            )
        ]
    }

    func address(in town: SyntheticTown, street: Int, using generator: inout SeededGenerator) -> String {
        var names = SeededGenerator(seed: UInt64(street) &+ UInt64(town.centre.latitude * 10_000))
        let number = 1 + Int(generator.exponential(mean: 60))
        switch town.country {
        case .korea:
            let road = word(SyntheticText.koreanSyllables, 2, &names) + (names.chance(0.4) ? "대로" : "로")
            let lane = generator.chance(0.4) ? "\(1 + Int(generator.fraction() * 30))번길 " : " "
            let part = generator.chance(0.3) ? "-\(1 + Int(generator.fraction() * 20))" : ""
            return "\(town.province) \(town.name) \(road)\(lane)\(number)\(part)"
        case .japan:
            let part = word(SyntheticText.japaneseSyllables, 2, &names) + "町"
            return "\(town.province)\(town.name)\(part)\(1 + number % 6)-\(number)"
        }
    }

    func hours(in town: SyntheticTown, using generator: inout SeededGenerator) -> PlaceHours {
        guard generator.chance(0.45) else { return PlaceHours() }
        let opens = 8 + Int(generator.fraction() * 4)
        let closes = 18 + Int(generator.fraction() * 5)
        let days = ["Mo-Su", "Mo-Fr", "Tu-Su", "Mo-Sa", "We-Mo"][Int(generator.fraction() * 5)]
        let half = generator.chance(0.3) ? "30" : "00"
        let zone = town.country == .korea ? "Asia/Seoul" : "Asia/Tokyo"
        return PlaceHours(text: "\(days) \(opens):\(half)-\(closes):00", timeZone: zone)
    }

    private func word(_ syllables: [String], _ count: Int, _ generator: inout SeededGenerator) -> String {
        (0..<count).map { _ in
            // The first syllables are the most frequent.
            syllables[Int(generator.fraction() * generator.fraction() * Double(syllables.count))]
        }.joined()
    }

    // MARK: - Words

    private static let kindRows: [(Double, String, String, String, String, String, Bool)] = [
        (0.34, "cafe", "osm", "카페", "カフェ", "Cafe", true),
        (0.12, "other", "osm", "식당", "食堂", "Kitchen", true),
        (0.12, "bicycle/parking", "bikes", "자전거보관소", "駐輪場", "Bicycle Parking", false),
        (0.08, "bicycle/rental", "bikes", "대여소", "レンタサイクル", "Rental", false),
        (0.05, "bicycle/air", "bikes", "공기주입기", "空気入れ", "Air Pump", false),
        (0.03, "bicycle/repair", "osm", "자전거수리점", "自転車店", "Cycles", false),
        (0.08, "park", "osm", "공원", "公園", "Park", false),
        (0.05, "station", "osm", "정류장", "駅", "Station", false),
        (0.04, "library", "osm", "도서관", "図書館", "Library", false),
        (0.03, "market/permanent", "markets", "시장", "市場", "Market", false),
        (0.01, "market/permanent market/periodic", "markets", "오일시장", "朝市", "Market", false),
        (0.02, "bookshop/new", "bookshops", "책방", "書店", "Books", true),
        (0.01, "bookshop/used", "bookshops", "헌책방", "古書店", "Second-hand Books", false),
        (0.01, "bookshop/new cafe", "bookshops", "북카페", "ブックカフェ", "Book Cafe", false),
        (0.01, "event", "osm", "축제", "祭り", "Festival", false),
    ]

    private static let chains = ["달무리커피", "새벽다방", "호반식당", "노을제과", "한걸음책방", "두레마트"]
    private static let koreanSyllables =
        "수정동광산중앙남북성신대영화평원봉장금천강연세창경종망합문인주안진서해도월송정운양명가나다라마바사자차하은별빛달꽃들숲길물돌새봄여름을겨울오미소담유"
        .map { String($0) }
    private static let japaneseSyllables =
        "山川田中本大小松竹梅花神石野原上下青白黒金銀月日星森林木水火土東西南北高広長新古島崎浜沢谷岡坂橋寺宮城町村ひばりさくら"
        .map { String($0) }
    private static let latinSyllables = [
        "ka", "ri", "mo", "so", "la", "ne", "ba", "du", "hi", "jo", "te", "mi", "san", "wol",
    ]
}
