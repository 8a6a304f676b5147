/// Lists in one text.
enum ListText {
    /// The items between commas, trimmed; empty for a blank text.
    static func items(_ text: String) -> [String] {
        guard text.contains(where: { !$0.isWhitespace }) else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map { item in
            String(item.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }
    }
}
