package import Foundation

/// The stored inputs of a target: a text with an input in base64 on each line that does not start with `#`.
package struct Corpus: Sendable {
    /// A line that is not base64.
    package struct Malformed: Error {
        /// From 1.
        package let line: Int
    }

    /// An input and its line, from 1.
    package struct Input: Sendable {
        package let line: Int
        package let bytes: [UInt8]
    }

    /// In the order of the lines.
    package let inputs: [Input]

    /// Reads a file. Throws ``Malformed`` or the error of reading.
    package init(contentsOf file: URL) throws {
        var inputs: [Input] = []
        let text = try String(contentsOf: file, encoding: .utf8)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let data = Data(base64Encoded: String(line)) else { throw Malformed(line: index + 1) }
            inputs.append(Input(line: index + 1, bytes: [UInt8](data)))
        }
        self.inputs = inputs
    }
}
