package import PromisedProtocol

extension WireCodec {
    /// The location of the fault in a client's frame that cannot be decoded, as a JSON path such as
    /// `createPromise.title` or `report.fixes[2].seq`, for the close reason of its connection. Nil if unknown: in
    /// ``protobuf``, in text that is not JSON, in frames of more than 16 KiB, and if no single value is the cause.
    package func faultyField(of bytes: [UInt8]) -> String? {
        guard self == .json else { return nil }
        return WireCodec.fault(in: bytes) { bytes in (try? decodeClientFrame(bytes)) != nil }
    }

    /// The JSON path of the value that prevents decoding a frame; nil if unknown.
    static func fault(in bytes: [UInt8], decodes: ([UInt8]) -> Bool) -> String? {
        guard bytes.count <= Self.largestExamined else { return nil }
        var path = ""
        var (before, after): ([UInt8], [UInt8]) = ([], [])
        var value = bytes[...]
        while let parts = JSONParts(value), path.utf8.count < 80 {
            // A faulty value also prevents decoding when it is alone in a frame.
            let faulty = parts.parts.prefix(Self.mostExamined).enumerated().first { _, part in
                !decodes(before + parts.opening(part) + part.value + parts.closing + after)
            }
            guard let (index, part) = faulty, let name = part.name(at: index) else { break }
            path += path.isEmpty || name.hasPrefix("[") ? name : ".\(name)"
            before += parts.opening(part)
            after = parts.closing + after
            value = part.value
            // If even an empty object or list is rejected here, its content is not the cause.
            if let empty = JSONParts.empty(like: value), !decodes(before + empty + after) { break }
        }
        return path.isEmpty ? nil : path
    }

    /// Larger frames, in bytes, are not examined, so that an invalid frame costs little more than a valid one.
    private static let largestExamined = 16 * 1_024
    /// The most values of an object or list to try.
    private static let mostExamined = 64
}

/// The members of a JSON object or the entries of a list, as in the text.
private struct JSONParts {
    /// One member or entry; an entry has no key.
    struct Part {
        /// Including quotation marks.
        var key: ArraySlice<UInt8>?
        var value: ArraySlice<UInt8>

        /// Its name in a path; nil for a key that is not a field name in the schema.
        func name(at index: Int) -> String? {
            guard let key else { return "[\(index)]" }
            let name = String(decoding: key.dropFirst().dropLast(), as: UTF8.self)
            let isWord = !name.isEmpty && name.utf8.count <= 40
            return isWord && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x7A).contains($0) }
                ? name : nil
        }
    }

    private(set) var parts: [Part] = []
    private let isObject: Bool
    private var rest: ArraySlice<UInt8>

    /// - Returns: nil for anything but an object or a list with separable parts.
    init?(_ text: ArraySlice<UInt8>) {
        rest = text
        JSONParts.skipSpace(&rest)
        guard let bracket = rest.popFirst(), bracket == 0x7B || bracket == 0x5B else { return nil }
        isObject = bracket == 0x7B
        while let part = next() { parts.append(part) }
        guard !parts.isEmpty else { return nil }
    }

    /// An empty object or list, whichever the text begins with; nil for any other text.
    static func empty(like text: ArraySlice<UInt8>) -> [UInt8]? {
        switch text.first {
        case 0x7B: [0x7B, 0x7D]
        case 0x5B: [0x5B, 0x5D]
        default: nil
        }
    }

    /// The text that precedes a part alone in its object or list.
    func opening(_ part: Part) -> [UInt8] { isObject ? [0x7B] + Array(part.key ?? []) + [0x3A] : [0x5B] }

    /// The text that follows it.
    var closing: [UInt8] { isObject ? [0x7D] : [0x5D] }

    private mutating func next() -> Part? {
        var key: ArraySlice<UInt8>?
        if isObject {
            JSONParts.skipSpace(&rest)
            guard rest.first == 0x22 else { return nil }
            key = JSONParts.takeValue(&rest)
            JSONParts.skipSpace(&rest)
            guard rest.popFirst() == 0x3A else { return nil }
        }
        JSONParts.skipSpace(&rest)
        let value = JSONParts.takeValue(&rest)
        JSONParts.skipSpace(&rest)
        if rest.first == 0x2C { rest.removeFirst() }
        return value.isEmpty ? nil : Part(key: key, value: value)
    }

    private static func skipSpace(_ text: inout ArraySlice<UInt8>) {
        text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }

    /// Removes and returns a complete value; an empty slice if its end is missing.
    private static func takeValue(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = end(of: text)
        defer { text = text[end...] }
        return text[..<end]
    }

    /// The end of a value: after its closing mark, or before the comma or bracket that follows a number or word.
    private static func end(of text: ArraySlice<UInt8>) -> Int {
        var depth = 0
        var isString = false
        var isEscaped = false
        for index in text.indices {
            let byte = text[index]
            if isString {
                isString = byte != 0x22 || isEscaped
                isEscaped = byte == 0x5C && !isEscaped
                if !isString, depth == 0 { return index + 1 }
                continue
            }
            switch byte {
            case 0x22: isString = true
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D:
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case 0x2C, 0x20, 0x09...0x0D:
                if depth == 0 { return index }
            default: break
            }
        }
        return depth == 0 && !isString ? text.endIndex : text.startIndex
    }
}
