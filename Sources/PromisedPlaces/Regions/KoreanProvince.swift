/// The 17 provinces and cities of the first level of Korea, by their ISO 3166-2 code.
///
/// Codes: ISO 3166-2:KR. Official names: Local Autonomy Act of Korea and the acts on special provinces, with the names
/// since 2023-06-11 (Gangwon) and 2024-01-18 (North Jeolla); older official names are among the spellings.
package enum KoreanProvince: String, Hashable, Sendable, CaseIterable {
    case seoul = "KR-11"
    case busan = "KR-26"
    case daegu = "KR-27"
    case incheon = "KR-28"
    case gwangju = "KR-29"
    case daejeon = "KR-30"
    case ulsan = "KR-31"
    case gyeonggi = "KR-41"
    case gangwon = "KR-42"
    case northChungcheong = "KR-43"
    case southChungcheong = "KR-44"
    case northJeolla = "KR-45"
    case southJeolla = "KR-46"
    case northGyeongsang = "KR-47"
    case southGyeongsang = "KR-48"
    case jeju = "KR-49"
    case sejong = "KR-50"

    /// The province of a code of the first level; nil for any other code.
    package init?(code: RegionCode) {
        self.init(rawValue: code.text)
    }

    /// The province that a word of an address names in one of its spellings; nil for any other word.
    package init?(spelling word: some StringProtocol) {
        guard let province = KoreanProvince.bySpelling[String(word)] else { return nil }
        self = province
    }

    /// The code of the first level.
    package var code: RegionCode { RegionCode(text: rawValue) }

    /// The English name, and the official Korean one.
    package var name: BilingualName {
        switch self {
        case .seoul: BilingualName(english: "Seoul", korean: "서울특별시")
        case .busan: BilingualName(english: "Busan", korean: "부산광역시")
        case .daegu: BilingualName(english: "Daegu", korean: "대구광역시")
        case .incheon: BilingualName(english: "Incheon", korean: "인천광역시")
        case .gwangju: BilingualName(english: "Gwangju", korean: "광주광역시")
        case .daejeon: BilingualName(english: "Daejeon", korean: "대전광역시")
        case .ulsan: BilingualName(english: "Ulsan", korean: "울산광역시")
        case .gyeonggi: BilingualName(english: "Gyeonggi", korean: "경기도")
        case .gangwon: BilingualName(english: "Gangwon", korean: "강원특별자치도")
        case .northChungcheong: BilingualName(english: "North Chungcheong", korean: "충청북도")
        case .southChungcheong: BilingualName(english: "South Chungcheong", korean: "충청남도")
        case .northJeolla: BilingualName(english: "North Jeolla", korean: "전북특별자치도")
        case .southJeolla: BilingualName(english: "South Jeolla", korean: "전라남도")
        case .northGyeongsang: BilingualName(english: "North Gyeongsang", korean: "경상북도")
        case .southGyeongsang: BilingualName(english: "South Gyeongsang", korean: "경상남도")
        case .jeju: BilingualName(english: "Jeju", korean: "제주특별자치도")
        case .sejong: BilingualName(english: "Sejong", korean: "세종특별자치시")
        }
    }

    /// All spellings by which an address names the province, the short one first: today's official name, older official
    /// ones, and those of everyday use.
    package var spellings: [String] {
        switch self {
        case .seoul: ["서울", "서울시", "서울특별시"]
        case .busan: ["부산", "부산시", "부산광역시", "부산직할시"]
        case .daegu: ["대구", "대구시", "대구광역시", "대구직할시"]
        case .incheon: ["인천", "인천시", "인천광역시", "인천직할시"]
        case .gwangju: ["광주", "광주시", "광주광역시", "광주직할시"]
        case .daejeon: ["대전", "대전시", "대전광역시", "대전직할시"]
        case .ulsan: ["울산", "울산시", "울산광역시"]
        case .gyeonggi: ["경기", "경기도"]
        case .gangwon: ["강원", "강원도", "강원특별자치도"]
        case .northChungcheong: ["충북", "충북도", "충청북도"]
        case .southChungcheong: ["충남", "충남도", "충청남도"]
        case .northJeolla: ["전북", "전북도", "전라북도", "전북특별자치도"]
        case .southJeolla: ["전남", "전남도", "전라남도"]
        case .northGyeongsang: ["경북", "경북도", "경상북도"]
        case .southGyeongsang: ["경남", "경남도", "경상남도"]
        // The last one is a typo in the standard data set of markets.
        case .jeju: ["제주", "제주도", "제주특별자치도", "제주특별자치시도"]
        case .sejong: ["세종", "세종시", "세종특별자치시"]
        }
    }

    /// `true` if the province has parts of a second level; only Sejong has none.
    package var hasParts: Bool { self != .sejong }

    // Strings with the same canonical form are equal, so decomposed Hangul (the form of file names on macOS) is found.
    private static let bySpelling = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { province in province.spellings.map { ($0, province) } }
    )
}
