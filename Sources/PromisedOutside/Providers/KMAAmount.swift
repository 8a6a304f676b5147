/// The Korean service's texts for amounts of rain in millimetres and of snow in centimetres.
enum KMAAmount {
    /// The amount of a text; nil if it is unreadable.
    ///
    /// `강수없음` and `적설없음` are 0, `1mm 미만` (less than) is half of it, `30.0~50.0mm` the mean, `50.0mm 이상` (or
    /// more) its number.
    static func value(_ text: String) -> Double? {
        var text = text.filter { !$0.isWhitespace }
        if text == "강수없음" || text == "적설없음" { return 0 }
        let isLess = take("미만", from: &text)
        let isMore = !isLess && take("이상", from: &text)
        if !take("mm", from: &text) { _ = take("cm", from: &text) }
        let bounds = text.split(separator: "~", omittingEmptySubsequences: false)
        let numbers = bounds.compactMap { number($0) }
        guard numbers.count == bounds.count else { return nil }
        switch numbers.count {
        case 1: return isLess ? numbers[0] / 2 : numbers[0]
        case 2 where !isLess && !isMore && numbers[0] <= numbers[1]: return (numbers[0] + numbers[1]) / 2
        default: return nil
        }
    }

    private static func take(_ end: String, from text: inout String) -> Bool {
        guard text.hasSuffix(end) else { return false }
        text.removeLast(end.count)
        return true
    }

    /// A number without sign or exponent. The second bound may repeat the unit of the first: `1.0mm~29.0`.
    private static func number(_ text: Substring) -> Double? {
        var text = String(text)
        if !take("mm", from: &text) { _ = take("cm", from: &text) }
        guard !text.isEmpty, text.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }) else { return nil }
        return Double(text)
    }
}
