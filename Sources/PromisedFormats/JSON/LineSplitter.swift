/// Splits text that arrives in chunks into lines, without their LF; for JSON lines, whose values contain no line ends.
package struct LineSplitter: Sendable {
    /// A line that is not blank.
    package struct Line: Hashable, Sendable {
        /// From 1.
        package var number: Int
        /// Its bytes; nil if they exceed the limit.
        package var bytes: [UInt8]?
    }

    private let longest: Int
    private var number = 1
    private var kept: [UInt8] = []
    private var isTooLong = false

    /// A splitter at the start of a text.
    ///
    /// - Parameter longest: the most bytes of a line.
    package init(longest: Int = .max) { self.longest = longest }

    /// Appends the lines that end in a chunk.
    package mutating func read(_ chunk: [UInt8], into lines: inout [Line]) {
        var rest = chunk[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            keep(rest[..<end])
            endLine(into: &lines)
            rest = rest[(end + 1)...]
        }
        keep(rest)
    }

    /// Appends the last line, if the text does not end with LF.
    package mutating func finish(into lines: inout [Line]) { endLine(into: &lines) }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        if kept.count + bytes.count > longest {
            isTooLong = true
            kept = []
        } else {
            kept += bytes
        }
    }

    private mutating func endLine(into lines: inout [Line]) {
        if isTooLong || !kept.allSatisfy(\.isJSONSpace) {
            lines.append(Line(number: number, bytes: isTooLong ? nil : kept))
        }
        kept = []
        isTooLong = false
        number += 1
    }
}
