/// Finds the region of a Korean address.
///
/// The first word is the province in any of its spellings; the first word after it that ends in 시, 군 or 구 is the second
/// level. Words are separated by white space or commas.
package enum KoreanAddress {
    /// The endings of cities, counties and districts.
    private static let endings: Set<Character> = ["시", "군", "구"]

    /// The region of an address.
    ///
    /// - Parameter defaultProvince: the province of addresses that do not begin with one, such as `마포구 동교로 194`.
    /// - Returns: nil if the address does not begin with a province and there is no default.
    package static func region(of address: String, default defaultProvince: KoreanProvince? = nil) -> RegionCode? {
        let words = address.split { $0.isWhitespace || $0 == "," }
        if let first = words.first, let province = province(named: first, default: defaultProvince) {
            return region(in: province, words: words.dropFirst())
        }
        return defaultProvince.map { region(in: $0, words: words[...]) }
    }

    /// The province that the first word names.
    ///
    /// 광주시 is Gwangju in everyday use and a city in Gyeonggi: where Gyeonggi is the default, it is the city.
    private static func province(named word: Substring, default defaultProvince: KoreanProvince?) -> KoreanProvince? {
        guard let province = KoreanProvince(spelling: word) else { return nil }
        return province == .gwangju && defaultProvince == .gyeonggi && isPart(word) ? nil : province
    }

    private static func region(in province: KoreanProvince, words: ArraySlice<Substring>) -> RegionCode {
        guard province.hasParts else { return province.code }
        // A repeated province, as in 서울특별시 서울시 중구, is not its own part.
        let part = words.first { isPart($0) && KoreanProvince(spelling: $0) != province }
        // A word such as 종로구/중구 is not a valid code.
        return part.flatMap { RegionCode("\(province.code.text)/\($0)") } ?? province.code
    }

    /// `true` for a name with one of the endings; the ending alone is not a name.
    private static func isPart(_ word: Substring) -> Bool {
        guard let last = word.last, word.count > 1 else { return false }
        return endings.contains(last)
    }
}
