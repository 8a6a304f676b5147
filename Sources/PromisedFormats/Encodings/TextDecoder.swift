#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Converts the bytes of a file, chunk by chunk, into UTF-8 without a byte order mark.
///
/// Malformed bytes are replaced by ``malformedByte``, one for each place, so that the reader of rows can report the
/// row; line ends and separators around them are preserved.
package struct TextDecoder: ~Copyable {
    /// Replaces bytes that could not be decoded; never occurs in UTF-8.
    package static let malformedByte: UInt8 = 0xFF

    /// iconv's descriptor; nil for UTF-8.
    private let descriptor: iconv_t?
    private let unitBytes: Int
    private var checker = UTF8Checker()
    /// The first bytes of a character that continues in the next chunk.
    private var rest: [UInt8] = []
    /// `true` until the first character, which may be a byte order mark.
    private var isAtStart = true

    /// A decoder at the start of a file.
    ///
    /// - Throws: ``FormatError/missingEncoding(name:)`` if the system has no table for the encoding.
    package init(_ encoding: TextEncoding) throws(FormatError) {
        unitBytes = encoding.unitBytes
        guard encoding != .utf8 else {
            descriptor = nil
            return
        }
        // iconv_open returns (iconv_t)-1 on failure (POSIX).
        guard let opened = iconv_open("UTF-8", encoding.iconvName), Int(bitPattern: opened) != -1 else {
            throw .missingEncoding(name: encoding.rawValue)
        }
        descriptor = opened
    }

    deinit {
        if let descriptor { iconv_close(descriptor) }
    }

    /// Appends the text of a chunk to `text`; a character cut by the chunk's end follows with the next one.
    package mutating func decode(_ chunk: [UInt8], into text: inout [UInt8]) {
        let start = text.count
        if descriptor == nil {
            checker.check(chunk) { part in
                switch part {
                case .valid(let bytes): text += bytes
                case .malformed: text.append(Self.malformedByte)
                }
            }
        } else {
            convert(rest.isEmpty ? chunk : rest + chunk, into: &text)
        }
        dropMark(in: &text, at: start)
    }

    /// Ends the text: a character cut by the end of the file is malformed.
    package mutating func finish(into text: inout [UInt8]) {
        if checker.isInsideCharacter || !rest.isEmpty { text.append(Self.malformedByte) }
        checker = UTF8Checker()
        rest = []
    }

    /// Removes a byte order mark at the file's start, even a repeated one.
    private mutating func dropMark(in text: inout [UInt8], at start: Int) {
        guard isAtStart, text.count > start else { return }
        isAtStart = false
        while text[start...].starts(with: [0xEF, 0xBB, 0xBF]) { text.removeSubrange(start..<(start + 3)) }
    }

    /// Calls iconv until it has converted all whole characters of `input`.
    private mutating func convert(_ input: [UInt8], into text: inout [UInt8]) {
        var input = input
        let used = input.withUnsafeMutableBytes { source in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { target in
                drain(source.assumingMemoryBound(to: CChar.self), through: target, into: &text)
            }
        }
        rest = Array(input[used...])
    }

    /// Converts buffer by buffer.
    ///
    /// - Returns: the number of bytes of `source` that were used; the others begin a character.
    private func drain(
        _ source: UnsafeMutableBufferPointer<CChar>,
        through target: UnsafeMutableBufferPointer<CChar>,
        into text: inout [UInt8]
    ) -> Int {
        var next = source.baseAddress
        var left = source.count
        while left > 0 {
            var end = target.baseAddress
            var free = target.count
            let result = iconv(descriptor, &next, &left, &end, &free)
            let problem = result == -1 ? errno : 0
            text += UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(target)[..<(target.count - free)])
            if problem == EINVAL { break }
            guard problem == EILSEQ else { continue }
            text.append(Self.malformedByte)
            let skipped = min(unitBytes, left)
            next = next?.advanced(by: skipped)
            left -= skipped
        }
        return source.count - left
    }
}
