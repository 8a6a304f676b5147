import Foundation
import PromisedProtocol

/// The range of a request's field in `asyncapi.yaml`, as PromisedWire's tests record it.
struct DocumentedRange {
    /// A frame that is valid except for one field, and `true` if the document allows that field's value.
    struct Probe: Sendable {
        let frame: [UInt8]
        let isGood: Bool
        /// The field's value, for people.
        let value: String
    }

    /// The field from the request's name on: `createPromise.place.name`; `[0]` is the first of a list.
    let path: String
    private let type: String
    private let keywords: [String: String]
    private let isRequired: Bool

    /// Everything that is recorded.
    static func all() throws -> [DocumentedRange] {
        try WireRecording.text("request-ranges.txt").split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            let keywords = words.dropFirst(2).filter { $0 != "required" }.map { word in
                let parts = word.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), String(parts[1]))
            }
            return DocumentedRange(
                path: words[0],
                type: words[1],
                keywords: Dictionary(uniqueKeysWithValues: keywords),
                isRequired: words.contains("required")
            )
        }
    }

    /// The request's name.
    var request: String { String(path.prefix { $0 != "." }) }

    /// The recorded frame of the request, or of the administrators' form, with this field at each end of its range
    /// and beyond, and without it.
    ///
    /// - Parameters:
    ///   - number: unique for each field, because a number of a fix is evaluated once.
    ///   - replacements: ids of the recorded frame and their replacements.
    func probes(number: Int, replacing replacements: [String: String]) throws -> [Probe] {
        var recorded = try recordedFrame
        for (old, new) in replacements { recorded = recorded.replacing(old, with: new) }
        let base = try JSONSerialization.jsonObject(with: Data(recorded.utf8))
        return try values.enumerated().map { index, probe in
            // An invented cursor is rejected before other checks.
            var frame = Self.setting(probe.value, at: path[...], in: Self.withoutCursors(base))
            // Only one of the two ways to name a user is accepted.
            if path == "requestFriend.nickname" { frame = Self.setting(nil, at: "requestFriend.userId", in: frame) }
            for other in Self.fieldsInTheWay(of: path) { frame = Self.setting(nil, at: other[...], in: frame) }
            if path.hasSuffix(".box.south") {
                frame = Self.setting(90, at: path.replacing("south", with: "north")[...], in: frame)
            }
            if path.hasPrefix("report.fixes[0]") {
                frame = Self.setting(100 * (number + 1) + index, at: "report.fixes[0].seq", in: frame)
            }
            if path.hasPrefix("appendRecording.points[0]") {
                frame = Self.setting(100 * (number + 1) + index, at: "appendRecording.points[0].seq", in: frame)
            }
            // Each row of an import, and each place of a source, has a separate ref.
            for ref in ["admin.putPlaces.rows[0].ref", "admin.createPlace.row.ref"]
            where ref != path && path.hasPrefix(ref.dropLast(3)) {
                frame = Self.setting("\(number)-\(index)", at: ref[...], in: frame)
            }
            let bytes = Array(try JSONSerialization.data(withJSONObject: frame))
            let text = probe.value.map { "\($0)" } ?? "nothing"
            return Probe(frame: bytes, isGood: probe.isGood, value: text.count > 80 ? "\(text.count) characters" : text)
        }
    }

    /// `true` if an answer reports the field as out of range.
    func isRefused(by answer: WireServerFrame) -> Bool {
        if let code = keywords["x-beyond"], case .error(let error) = answer.content { return error.code == code }
        switch answer.content {
        case .recorded(let recorded): return recorded.rejected.contains { $0.code == "position.invalid" }
        case .reported(let reported): return reported.rejected.contains { $0.code == "position.invalid" }
        case .admin(let reply):
            // A row that repeats the ref of an earlier one is refused for another reason than its length.
            return reply.placeImport.refusedRows.contains { $0.reason != "duplicate" && isNamed($0.field) }
        case .error(let error):
            // An unknown token is a value out of range, even in the right form.
            guard error.message != "This token does not exist." else { return false }
            // A promise's invitees have a separate code, a report's fixes too.
            return ["request.invalid", "request.too-large", "promise.limit"].contains(error.code)
                && !error.field.isEmpty && isNamed(error.field)
        default: return false
        }
    }

    /// `true` if a name means the field; names in rows of places omit the indexes of lists.
    private func isNamed(_ field: String) -> Bool {
        let isInRow = path.hasPrefix("admin.") && path.contains(".row")
        return (isInRow ? path.replacing("[0]", with: "") : path).hasSuffix(".\(field)")
    }

    /// `true` if an answer rejects the field without the allowed range.
    func isUnexplained(_ answer: WireServerFrame) -> Bool {
        guard case .error(let error) = answer.content else { return false }
        return error.message == ErrorCode.requestInvalid.sentence
    }

    // MARK: - Values

    /// Values of the field, nil for a missing one, and `true` if valid.
    private var values: [(value: Any?, isGood: Bool)] {
        let ends: [(value: Any?, isGood: Bool)] =
            switch type {
            case "integer", "number": numbers
            case "string": texts
            case "array": counts.map { (Self.list(of: $0.count, at: path), $0.isGood) }
            default: []
            }
        return ends + (isRequired ? [(nil, false)] : [])
    }

    private var numbers: [(value: Any?, isGood: Bool)] {
        // Numbers of bytes are whole as well, though their type can be larger.
        let isWhole = type == "integer" || path.hasSuffix(".bytes") || path.hasSuffix(".offset")
        func number(_ keyword: String) -> Double? { keywords[keyword].flatMap(Double.init) }
        func value(_ number: Double) -> Any { isWhole ? Int(number) : number }
        func below(_ end: Double) -> Any { value(isWhole ? end - 1 : end.nextDown) }
        func above(_ end: Double) -> Any { value(isWhole ? end + 1 : end.nextUp) }
        let lower = number("minimum").map { [(below($0), false), (value($0), true), (above($0), true)] }
        let upper = number("maximum").map { [(below($0), true), (value($0), true), (above($0), false)] }
        return (lower ?? []) + (upper ?? [])
    }

    private var texts: [(value: Any?, isGood: Bool)] {
        switch (keywords["format"], keywords["pattern"]) {
        case ("uuid", _):
            let id = UUID().uuidString
            return [(String(id.dropLast()), false), (id, true), (id.lowercased(), true), (id + "0", false)]
        case (_, _) where path.hasSuffix(".data"): return pieces
        case (_, "^[0-9a-fA-F]{64}$"):
            let digest = String(repeating: "0aF", count: 22)
            return [63, 64, 65].map { (String(digest.prefix($0)), $0 == 64) } + [("x" + digest.prefix(63), false)]
        case (_, "^[A-Z]{3}$"): return [("EU", false), ("EUR", true), ("eur", false), ("EURO", false)]
        case (_, "^[a-z0-9-]{1,40}$"):
            return [("", false), ("a-1", true), ("A", false), (String(repeating: "a", count: 41), false)]
        case (_, "^[a-z-]{1,24}$"):
            let key = String(repeating: "a-", count: 13)
            let lengths = [0, 1, 24, 25].map { (String(key.prefix($0)), (1...24).contains($0)) }
            return lengths + [("A", false), ("a1", false)]
        // An existing file must not be overwritten, and a valid path is written.
        case (_, .some): return [("backup", false), ("/" + String(repeating: "b", count: 1_024), false)]
        default: return counts.map { (Self.text(of: $0.count, at: path), $0.isGood) } + weights
        }
    }

    /// The ends of a length, and one to each side of them.
    private var counts: [(count: Int, isGood: Bool)] {
        let lower = (keywords["minLength"] ?? keywords["minItems"]).flatMap(Int.init) ?? 0
        let upper = (keywords["maxLength"] ?? keywords["maxItems"]).flatMap(Int.init)
        let least = lower > 0 ? [(lower - 1, false), (lower, true), (lower + 1, true)] : []
        let most = upper.map { [($0 - 1, true), ($0, true), ($0 + 1, false)] } ?? []
        // An invented text is refused at any length.
        return (least + most).map { ($0, $1 && !isMadeUp) }
    }

    /// Bytes in Base64, of which four characters stand for three.
    private var pieces: [(value: Any?, isGood: Bool)] {
        func length(_ keyword: String) -> Int { keywords[keyword].flatMap(Int.init) ?? 0 }
        let (least, most) = (length("minLength"), length("maxLength"))
        return [(least - 4, false), (least, true), (least + 4, true), (most, true), (most + 4, false)].map {
            (String(repeating: "A", count: $0), $1)
        }
    }

    /// `true` if an invented text cannot be valid, only one from the server.
    private var isMadeUp: Bool {
        path.hasSuffix(".cursor") || path.hasSuffix(".timeZone") || path.hasSuffix(".courseId")
            || path.hasSuffix(".pictureFileId")
            || keywords["x-beyond"] != nil
    }

    /// Texts of few characters and the maximal number of bytes, one less and one more: as received, where trailing
    /// white space is not a character, and as stored.
    private var weights: [(value: Any?, isGood: Bool)] {
        func number(_ keyword: String) -> Int? { keywords[keyword].flatMap(Int.init) }
        guard let bytes = number("x-max-bytes"), let length = number("maxLength"), length < bytes, !isMadeUp,
            // The two levels of a region have separate lengths (RegionCodeTests).
            !path.hasSuffix(".region")
        else { return [] }
        let sizes = [(-1, true), (0, true), (1, false)]
        let isTrimmed = path.hasSuffix(".email") || number("x-max-stored-bytes") != nil
        guard isTrimmed else { return sizes.map { (Self.heavy(length, bytes: bytes + $0), $1) } }
        let short = Self.text(of: max(number("minLength") ?? 1, path.hasSuffix(".email") ? 254 : 1), at: path)
        let padded = sizes.map { size in
            (short + String(repeating: " ", count: bytes + size.0 - short.utf8.count) as Any?, size.1)
        }
        // An emoji is one character, and of a nickname each has few code points.
        guard let stored = number("x-max-stored-bytes"), stored == 8 * length, !isWebAddress else { return padded }
        return padded + sizes.map { (Self.heavy(length, bytes: stored + $0), $1) }
    }

    private var isWebAddress: Bool { [".url", ".website", ".social"].contains { path.hasSuffix($0) } }

    /// A text of `count` characters and `bytes` bytes: ideographs of four bytes, each followed by marks of two or three.
    /// NFC does not change it.
    private static func heavy(_ count: Int, bytes: Int) -> String {
        (0..<count).map { index in
            let size = bytes / count + (index < bytes % count ? 1 : 0)
            let marks = size - 4
            let (long, short) = (marks % 2, (marks - marks % 2 * 3) / 2)
            return "\u{20000}" + String(repeating: "\u{301}", count: short) + String(repeating: "\u{20D0}", count: long)
        }.joined()
    }

    /// A text of `count` characters that the field accepts if its length is allowed.
    private static func text(of count: Int, at path: String) -> String {
        let letters = String(repeating: "qz7xw_m4", count: count / 8 + 1)
        switch path.split(separator: ".").last {
        case "email":
            let label = String(repeating: "d", count: 62)
            return "\(letters.prefix(64))@\(label).\(label).\(String(repeating: "d", count: max(1, count - 191)))"
        // An address is at least as long as its host.
        case "url", "website", "social": return "https://ab.kr" + (count > 13 ? "/" + letters.prefix(count - 14) : "")
        // Two levels of at most 64 characters.
        case "region": return letters.prefix(min(count, 64)) + (count > 64 ? "/" + letters.prefix(count - 65) : "")
        // One word.
        case "text": return String(repeating: "q", count: count)
        case "locale" where count == 3: return "deu"
        case "locale": return String("de-x-\(String(repeating: "abcdefgh-", count: count / 9 + 1))".prefix(count))
        // One character of `count` code points that do not compose.
        case "emoji": return "x" + String(repeating: "\u{301}", count: count - 1)
        default: return String(letters.prefix(count))
        }
    }

    private static func list(of count: Int, at path: String) -> [Any] {
        (0..<count).map { number -> Any in
            switch path.split(separator: ".").last {
            case "fixes": ["seq": 1_000 + number, "latitude": 37.5, "longitude": 127] as [String: Any]
            case "rows": ["ref": "\(number)"]
            case "names": ["language": ["en", "ko", "ja", "de", "fr"][number % 5], "name": "x"]
            case "facts": ["key": String(repeating: "a", count: number + 1), "value": "x"]
            case "off": "INVITED"
            case "photos": ["fileId": UUID().uuidString]
            case "companions": ["name": "x\(number)"]
            case "kinds": "NOTE"
            case "waypoints": ["place": ["latitude": 37.5, "longitude": 127]]
            case "points": ["seq": 1_000 + number, "latitude": 37.5, "longitude": 127]
            case "categories": number == 0 ? "cafe" : number == 1 ? "park" : number == 2 ? "other" : "c\(number)"
            case "regions": "KR-\(number)"
            case "sources": "s\(number)"
            default: UUID().uuidString
            }
        }
    }

    // MARK: - Frames

    /// Fields of the recorded frame that exclude this one, or prevent its check.
    static func fieldsInTheWay(of path: String) -> [String] {
        let others: [String] =
            switch path {
            case _ where path.hasPrefix("addFavourite.place."): ["addFavourite.placeId", "addFavourite.place.placeId"]
            case _ where path.hasPrefix("createVisit.place."): ["createVisit.place.placeId"]
            case "createVisit.companions[0].name": ["createVisit.companions[0].user"]
            case "updateVisit.companions[0].name":
                ["updateVisit.companions[0].user", "updateVisit.withoutPhotos", "updateVisit.withoutCompanions"]
            case _ where path.hasPrefix("updateCourse."):
                ["updateCourse.withoutPhotos", "updateCourse.withoutWaypoints"]
            case _ where path.hasPrefix("updateVisit."): ["updateVisit.withoutPhotos", "updateVisit.withoutCompanions"]
            case _ where path.hasPrefix("getOutlook."): ["getOutlook.promiseId", "getOutlook.placeId", "getOutlook.at"]
            case _ where path.hasPrefix("getShareText."):
                ["getShareText.promiseId", "getShareText.placeId", "getShareText.courseId"]
            case _ where path.hasPrefix("admin.findPlaces."): ["admin.findPlaces.filter.favourites"]
            default: []
            }
        return others.filter { $0 != path }
    }

    /// The frame of the request or the form, from the recordings.
    private var recordedFrame: String {
        get throws {
            let names = path.split(separator: ".")
            guard names[0] == "admin" else { return try WireRecording.text("requests/\(names[0]).json") }
            // The recorded form changes only the title.
            guard names[1] != "editPromise" else {
                let update = try WireRecording.text("requests/updatePromise.json").dropLast()
                return update.replacing("\"updatePromise\":", with: "\"admin\":{\"editPromise\":") + "}}"
            }
            return try WireRecording.text("admin-forms/\(names[1]).json")
        }
    }

    /// A copy with another value at a path, or without one.
    private static func setting(_ value: Any?, at path: Substring, in object: Any) -> Any {
        guard var members = object as? [String: Any] else { return object }
        let (key, rest) = (path.prefix { $0 != "." }, path.drop { $0 != "." }.dropFirst())
        let name = String(key.prefix { $0 != "[" })
        if key.hasSuffix("]") {
            let first = (members[name] as? [Any])?.first ?? [:]
            members[name] = [rest.isEmpty ? value ?? "" : setting(value, at: rest, in: first)]
        } else {
            members[name] = rest.isEmpty ? value : setting(value, at: rest, in: members[name] ?? [:])
        }
        return members
    }

    private static func withoutCursors(_ object: Any) -> Any {
        guard let members = object as? [String: Any] else { return object }
        return members.filter { $0.key != "cursor" }.mapValues(withoutCursors)
    }
}
