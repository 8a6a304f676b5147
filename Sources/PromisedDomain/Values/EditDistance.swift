/// The distance between two words, for suggestions after a typing error.
package enum EditDistance {
    /// The number of insertions, deletions and replacements of characters, and exchanges of neighbours, that turn one
    /// into the other.
    package static func between(_ left: String, _ right: String) -> Int {
        let (lines, columns) = (Array(left), Array(right))
        var above: [Int] = []
        var row = Array(0...columns.count)
        for (line, character) in lines.enumerated() {
            var next = [line + 1]
            for (column, other) in columns.enumerated() {
                let isSame = character == other
                var distance = min(row[column] + (isSame ? 0 : 1), row[column + 1] + 1, next[column] + 1)
                let isExchange = line > 0 && column > 0 && character == columns[column - 1] && other == lines[line - 1]
                if isExchange { distance = min(distance, above[column - 1] + 1) }
                next.append(distance)
            }
            (above, row) = (row, next)
        }
        return row[columns.count]
    }

    /// The word nearest to `word`, if it is near: within a third of the length in characters, three at most. Of equally
    /// near ones the first.
    package static func nearest(to word: String, among words: [String]) -> String? {
        let near = words.map { (word: $0, distance: between(word, $0)) }
            .filter { $0.distance <= min(3, max(1, word.count / 3)) }
        return near.min { $0.distance < $1.distance }?.word
    }
}
