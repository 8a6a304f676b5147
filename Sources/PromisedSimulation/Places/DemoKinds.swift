import PromisedPlaces

/// A kind of place in the demo.
struct DemoKind: Sendable {
    /// Its category, one of the built-in ones.
    var category: CategoryID
    /// The end of names of this kind.
    var name: BilingualName
    /// Its relative frequency.
    var share: Double
    /// Its possible opening hours, in the grammar of OpenStreetMap.
    var hours: [String]
    /// The key of a fact whose value is a number; nil for none.
    var countedFact: String?

    init(
        _ category: String,
        _ english: String,
        _ korean: String,
        share: Double,
        hours: [String],
        countedFact: String? = nil
    ) {
        self.category = CategoryID(text: category)
        name = BilingualName(english: english, korean: korean)
        self.share = share
        self.hours = hours
        self.countedFact = countedFact
    }

    /// Every built-in category; the café that is closed at the meeting time and the station come first.
    static let all = [
        DemoKind(
            "cafe",
            "Café",
            "카페",
            share: 30,
            hours: ["Mo-Fr 08:00-22:00; Sa,Su 10:00-22:00", "Tu-Su 11:00-21:00"]
        ),
        DemoKind("station", "Station", "역", share: 3, hours: ["24/7", "05:30-24:00"]),
        DemoKind(
            "market/permanent",
            "Market",
            "시장",
            share: 6,
            hours: ["Mo-Su 09:00-20:00", "09:00-21:00; Su[1] off"],
            countedFact: "shops"
        ),
        DemoKind(
            "market/periodic",
            "Fair",
            "장터",
            share: 4,
            hours: ["day 2,7", "day 5,0", "day 4,9 09:00-15:00"],
            countedFact: "shops"
        ),
        DemoKind(
            "bookshop/new",
            "Books",
            "책방",
            share: 10,
            hours: ["Tu-Sa 11:00-20:00; Su 12:00-18:00", "Mo-Sa 10:00-21:00; PH off"]
        ),
        DemoKind("bookshop/used", "Used Books", "헌책방", share: 5, hours: ["We-Su 12:00-19:00", "Mo-Sa 10:00-18:00"]),
        DemoKind("bicycle/air", "Pump", "공기주입기", share: 5, hours: ["24/7"]),
        DemoKind("bicycle/parking", "Bicycle Parking", "자전거 보관소", share: 8, hours: ["24/7"], countedFact: "stands"),
        DemoKind("bicycle/rental", "Bicycles", "자전거 대여소", share: 14, hours: ["24/7"], countedFact: "docks"),
        DemoKind(
            "bicycle/repair",
            "Bicycle Repair",
            "자전거 수리점",
            share: 3,
            hours: ["Mo-Sa 10:00-19:00", "Tu-Su 10:00-20:00"]
        ),
        DemoKind("library", "Library", "도서관", share: 4, hours: ["Tu-Fr 09:00-20:00; Sa,Su 09:00-17:00; PH off"]),
        DemoKind("park", "Park", "공원", share: 5, hours: ["24/7", "05:00-23:00"]),
        DemoKind("event", "Flea Market", "벼룩시장", share: 2, hours: ["Sa[1],Sa[3] 11:00-17:00", "Su 12:00-18:00"]),
        DemoKind("other", "Court", "마당", share: 3, hours: ["Mo-Su 10:00-22:00"]),
    ]
}

/// Invents unique names.
struct DemoNames: Sendable {
    /// Korean words with their usual spelling in Latin letters.
    private static let words = [
        ("별빛", "Byeolbit"), ("노을", "Noeul"), ("구름", "Gureum"), ("바람", "Baram"), ("은하", "Eunha"), ("달빛", "Dalbit"),
        ("이슬", "Iseul"), ("새벽", "Saebyeok"), ("물결", "Mulgyeol"), ("햇살", "Haetsal"), ("단풍", "Danpung"), ("솔잎", "Sollip"),
        ("나래", "Narae"), ("가온", "Gaon"), ("다솜", "Dasom"), ("라온", "Raon"), ("한울", "Hanul"), ("여울", "Yeoul"),
        ("마루", "Maru"), ("보름", "Boreum"),
    ]
    private var used: Set<String> = []

    /// A name of two words and the end of the kind's names.
    mutating func next(of kind: DemoKind, using generator: inout SeededGenerator) -> BilingualName {
        while true {
            let (first, second) = (DemoNames.word(using: &generator), DemoNames.word(using: &generator))
            let name = BilingualName(
                english: "\(first.latin) \(second.latin) \(kind.name.english)",
                korean: "\(first.hangul)\(second.hangul) \(kind.name.korean)"
            )
            if used.insert(name.korean).inserted { return name }
        }
    }

    /// A street of one word.
    func street(using generator: inout SeededGenerator) -> String { DemoNames.word(using: &generator).hangul + "길" }

    private static func word(using generator: inout SeededGenerator) -> (hangul: String, latin: String) {
        words[Int(generator.fraction() * Double(words.count))]
    }
}
