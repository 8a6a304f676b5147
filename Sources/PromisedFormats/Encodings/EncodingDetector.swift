/// Finds the encoding of a file from its bytes: the byte order mark, else UTF-8 if all bytes are UTF-8, else CP949.
///
/// Pass it all chunks in order; it stores at most three bytes of them.
package struct EncodingDetector: Sendable {
    private var checker = UTF8Checker()
    /// The first bytes of the file, at most three.
    private var start: [UInt8] = []
    /// `false` once malformed UTF-8 was found.
    private var isUTF8 = true

    /// A detector at the start of a file.
    package init() {}

    /// The encoding of the chunks so far, as if they were the whole file.
    package var encoding: TextEncoding {
        if let marked = TextEncoding(byteOrderMark: start) { return marked }
        return isUTF8 && !checker.isInsideCharacter ? .utf8 : .cp949
    }

    /// `true` once no further chunk can change the encoding.
    package var isCertain: Bool {
        !isUTF8 || (start.count == 3 && TextEncoding(byteOrderMark: start) != nil)
    }

    /// Examines the next chunk.
    package mutating func look(at chunk: [UInt8]) {
        if start.count < 3 { start += chunk.prefix(3 - start.count) }
        guard isUTF8 else { return }
        checker.check(chunk) { part in
            if case .malformed = part { isUTF8 = false }
        }
    }
}

/// Splits bytes into valid UTF-8 and malformed bytes, across the borders of chunks.
struct UTF8Checker: Sendable {
    /// A part of the input.
    enum Part {
        /// Whole characters.
        case valid(ArraySlice<UInt8>)
        /// Bytes that belong to no character.
        case malformed
    }

    /// The first bytes of a character that continues in the next chunk, at most three.
    private var rest: [UInt8] = []

    /// `true` if the last chunk ended inside a character.
    var isInsideCharacter: Bool { !rest.isEmpty }

    /// Calls `take` with the parts of a chunk in order.
    mutating func check(_ chunk: [UInt8], take: (Part) -> Void) {
        let bytes = rest.isEmpty ? chunk : rest + chunk
        rest = []
        var from = 0
        while from < bytes.count {
            guard let fault = Self.fault(in: bytes, from: from) else { return take(.valid(bytes[from...])) }
            if fault.lowerBound > from { take(.valid(bytes[from..<fault.lowerBound])) }
            if fault.upperBound == bytes.count, Self.isStart(bytes[fault]) {
                rest = Array(bytes[fault])
                return
            }
            take(.malformed)
            from = fault.upperBound
        }
    }

    /// The offsets of the first fault at or after `from`; nil if the rest is valid.
    private static func fault(in bytes: [UInt8], from: Int) -> Range<Int>? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span.extracting(from...))
            return nil
        } catch {
            return (from + error.byteOffsets.lowerBound)..<(from + error.byteOffsets.upperBound)
        }
    }

    /// `true` if malformed bytes at the end of a chunk may become a character with the next chunk.
    private static func isStart(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        return (0xC2...0xF4).contains(first) && bytes.count < length
    }
}
