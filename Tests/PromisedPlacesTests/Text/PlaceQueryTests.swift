import PromisedPlaces
import Testing

@Suite struct PlaceQueryTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var query: String
        var name: String
        var begins: Bool
        var isExactly = false
        var testDescription: String { "\(query) and \(name)" }
    }

    static let rows = [
        // Finished words.
        Row(query: "광장시장", name: "광장시장", begins: true, isExactly: true),
        Row(query: "광장 시장", name: "광장시장", begins: true, isExactly: true),
        Row(query: "광장", name: "광장시장", begins: true),
        Row(query: "시장", name: "광장시장", begins: false),
        Row(query: "광장시장 2호", name: "광장시장", begins: false),
        Row(query: "STARBUCKS", name: "Starbucks Reserve", begins: true),
        // The mark after a blank is a separate letter in keys: ι.
        Row(query: "a \u{345}c", name: "a \u{345}c", begins: true, isExactly: true),
        // A syllable that gets its final consonant, its double vowel, its double final consonant.
        Row(query: "광자", name: "광장시장", begins: true),
        Row(query: "광자", name: "광잫", begins: true),
        Row(query: "광자", name: "광재", begins: false),
        Row(query: "과", name: "광장시장", begins: true),
        Row(query: "고", name: "광장시장", begins: true),
        Row(query: "고", name: "교보", begins: false),
        Row(query: "구", name: "귀금속", begins: true),
        Row(query: "그", name: "긔", begins: true),
        Row(query: "달", name: "닭집", begins: true),
        Row(query: "안", name: "앉은자리", begins: true),
        Row(query: "갑", name: "값싼", begins: true),
        Row(query: "강", name: "각설이", begins: false),
        Row(query: "닭", name: "달맞이", begins: false),
        Row(query: "책", name: "책", begins: true, isExactly: true),
        // Only the last syllable of all is unfinished.
        Row(query: "과 시장", name: "광시장", begins: false),
        Row(query: "광 시자", name: "광시장", begins: true),
        // A consonant after syllables starts the next one; alone it starts any.
        Row(query: "광ㅈ", name: "광장시장", begins: true),
        Row(query: "ㄱ", name: "광장시장", begins: true),
        Row(query: "ㄱ", name: "까치", begins: false),
        // Two or more consonants are initials.
        Row(query: "ㄱㅈㅅㅈ", name: "광장시장", begins: true),
        Row(query: "ㄱㅈㅅㅈ", name: "광장시", begins: false),
        Row(query: "ㄱㅈ ㅅㅈ", name: "광장시장", begins: true),
        Row(query: "ㄱㅅ", name: "경상남도", begins: true),
        Row(query: "ㄳ", name: "경상남도", begins: true),
        Row(query: "ㅄ", name: "부산", begins: true),
        Row(query: "ㅋㅋ", name: "ㅋㅋ노래방", begins: true),
        Row(query: "ㅋㅋ", name: "콩카페", begins: true),
    ]

    @Test(arguments: rows)
    func `a query can end with unfinished Hangul or consist of initials`(row: Row) throws {
        let query = try PlaceQuery(row.query)
        let key = TextKey(row.name)
        #expect(query.whole.begins(key.units) == row.begins)
        #expect(query.whole.isExactly(key.units) == row.isExactly)
    }

    @Test(arguments: [
        ("시장", 1), ("  종로   망원 ", 2), ("종로 & 망원", 2), ("A-1", 1), ("a b c d e", 5), ("q", 1), ("88", 1),
        ("종로\u{3000}망원", 2),
    ])
    func `separates terms at white space and omits punctuation`(text: String, count: Int) throws {
        #expect(try PlaceQuery(text).terms.count == count)
    }

    @Test(arguments: [
        ("", PlaceQuery.Problem.length(0)), ("   ", .length(0)), ("!? …", .nothingToFind), ("😀", .nothingToFind),
        (String(repeating: "가", count: 61), .length(61)), ("a b c d e f", .terms(6)),
    ])
    func `rejects empty, long and wordless texts`(text: String, problem: PlaceQuery.Problem) {
        #expect(throws: problem) { try PlaceQuery(text) }
    }

    @Test func `accepts sixty characters without the surrounding blanks`() throws {
        let text = String(repeating: "가", count: 60)
        #expect(try PlaceQuery("  \(text) ").terms.count == 1)
    }

    @Test func `a problem names the value and the allowed range`() {
        #expect("\(PlaceQuery.Problem.length(61))" == "the text has 61 characters: search for 1 to 60")
        #expect("\(PlaceQuery.Problem.terms(6))" == "the text has 6 words: search for at most 5")
        #expect("\(PlaceQuery.Problem.nothingToFind)".contains("at least one"))
    }
}
