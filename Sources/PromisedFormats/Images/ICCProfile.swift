/// A colour profile (ICC.1:2022), rebuilt from the parts that define colours.
///
/// A profile also has texts, names of devices, a date and private parts: they may contain anything and are removed.
struct ICCProfile {
    /// The most bytes of a profile. Those of printers have up to 2 MiB; larger ones are removed.
    static let longest = 2 * 1_048_576

    private static let headerLength = 128
    private static let entryLength = 12
    private static let mostTags = 100

    /// The rebuilt profile.
    let bytes: [UInt8]

    /// The profile at the start of the bytes; nil if it is inconsistent. Browsers ignore such profiles.
    init?(_ sent: [UInt8]) {
        guard sent.count > Self.headerLength + 4, sent.count <= Self.longest else { return nil }
        func number(_ offset: Int, _ length: Int = 4) -> Int {
            sent[offset..<offset + length].reduce(0) { $0 << 8 | Int($1) }
        }
        func text(_ offset: Int) -> String { String(decoding: sent[offset..<offset + 4], as: UTF8.self) }
        let length = number(0)
        guard (Self.headerLength + 4...sent.count).contains(length), (2...5).contains(sent[8]), text(36) == "acsp",
            Self.classes.contains(text(12)), Self.spaces.contains(text(16)), ["XYZ ", "Lab "].contains(text(20))
        else { return nil }
        let count = number(Self.headerLength)
        let dataStart = Self.headerLength + 4 + Self.entryLength * count
        guard count <= Self.mostTags, dataStart <= length else { return nil }
        var tags: [(name: String, data: Range<Int>)] = []
        for place in 0..<count {
            let entry = Self.headerLength + 4 + Self.entryLength * place
            let (start, size) = (number(entry + 4), number(entry + 8))
            guard start >= dataStart, size >= 8, size <= length - start else { return nil }
            let name = text(entry)
            guard Self.tags.contains(name), Self.types.contains(text(start)), !tags.contains(where: { $0.name == name })
            else { continue }
            tags.append((name, start..<start + size))
        }
        let names = Set(tags.map(\.name))
        guard names.contains("A2B0") || names.contains("kTRC") || names.isSuperset(of: Self.matrix) else { return nil }
        bytes = Self.profile(header: Array(sent[..<Self.headerLength]), tags.map { ($0.name, Array(sent[$0.data])) })
    }

    // MARK: - Parts

    private static let classes: Set = ["scnr", "mntr", "prtr", "spac"]
    private static let spaces: Set = ["RGB ", "GRAY", "CMYK", "Lab ", "XYZ "]
    private static let matrix: Set = ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
    /// The tags that define colours (section 9.2).
    private static let tags = matrix.union([
        "A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2", "D2B0", "D2B1", "D2B2", "D2B3", "B2D0", "B2D1", "B2D2", "B2D3",
        "bkpt", "chad", "chrm", "cicp", "gamt", "kTRC", "lumi", "wtpt",
    ])
    /// The types of their values (section 10): only numbers.
    private static let types: Set = [
        "XYZ ", "chrm", "cicp", "curv", "mAB ", "mBA ", "mft1", "mft2", "mpet", "para", "sf32",
    ]

    /// The header without the identity of the file's maker: the fields before and after the illuminant (section 7.2).
    private static func cleanedHeader(_ header: [UInt8]) -> [UInt8] {
        var header = header
        // The preferred module, the platform, the maker and the model of the device.
        for range in [4..<8, 40..<44, 48..<56, 80..<headerLength] {
            header.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
        }
        // 2000-01-01.
        header.replaceSubrange(24..<36, with: [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        return header
    }

    /// A profile of tags, with the two mandatory texts.
    private static func profile(header: [UInt8], _ tags: [(name: String, value: [UInt8])]) -> [UInt8] {
        let texts = header[8] >= 4 ? (localized, localized) : (described, copyrighted)
        let all = [("desc", texts.0), ("cprt", texts.1)] + tags
        var (entries, data): ([UInt8], [UInt8]) = ([], [])
        var places: [[UInt8]: Int] = [:]
        let start = headerLength + 4 + entryLength * all.count
        for (name, value) in all {
            let place = places[value] ?? start + data.count
            if places.updateValue(place, forKey: value) == nil {
                data += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
            }
            entries += name.utf8
            entries.append(bigEndian: place, length: 4)
            entries.append(bigEndian: value.count, length: 4)
        }
        var profile: [UInt8] = []
        profile.append(bigEndian: start + data.count, length: 4)
        profile += cleanedHeader(header)[4...]
        profile.append(bigEndian: all.count, length: 4)
        return profile + entries + data
    }

    private static let name = Array("Colours".utf8)

    /// The name as a text of version 4 (section 10.15): one record in English.
    private static let localized: [UInt8] = {
        var text = Array("mluc".utf8) + [0, 0, 0, 0]
        for number in [1, 12] { text.append(bigEndian: number, length: 4) }
        text += Array("enUS".utf8)
        for number in [2 * name.count, 28] { text.append(bigEndian: number, length: 4) }
        return text + name.flatMap { [0, $0] }
    }()

    /// The name as a description of version 2 (ICC.1:2001-04 section 6.5.17), in ASCII alone.
    private static let described: [UInt8] = {
        var text = Array("desc".utf8) + [0, 0, 0, 0]
        text.append(bigEndian: name.count + 1, length: 4)
        return text + name + [UInt8](repeating: 0, count: 1 + 4 + 4 + 2 + 1 + 67)
    }()

    /// The name as a text of version 2 (ICC.1:2001-04 section 6.5.18).
    private static let copyrighted = Array("text".utf8) + [0, 0, 0, 0] + name + [0]
}

extension ByteReader {
    /// The colour profile at the start of the rest of a part; nil for anything else.
    func profile() throws(ImageProblem) -> ICCProfile? {
        try bytes(most: ICCProfile.longest).flatMap(ICCProfile.init)
    }

    /// All remaining bytes; nil if there are more than `most`.
    func bytes(most: Int) throws(ImageProblem) -> [UInt8]? {
        guard count <= most else { return nil }
        var (reader, all): (ByteReader, [UInt8]) = (self, [])
        all.reserveCapacity(count)
        while reader.count > 0 {
            let bytes = try reader.ahead(1)
            all += bytes
            reader.skip(bytes.count)
        }
        return all
    }
}
