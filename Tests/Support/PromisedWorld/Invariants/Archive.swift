internal import Foundation
internal import PromisedDomain

/// The archive of a user's data, read from its bytes: a ZIP file of stored entries (APPNOTE section 4.3).
struct Archive: Hashable, Sendable {
    /// The bytes of its entries, by their names.
    let entries: [String: [UInt8]]

    /// Nil unless the bytes are a complete archive.
    init?(_ bytes: [UInt8]) {
        let directory = bytes.count - 22
        guard directory >= 0, bytes.number(at: directory, 4) == 0x0605_4B50 else { return nil }
        var entries: [String: [UInt8]] = [:]
        var position = bytes.number(at: directory + 16, 4)
        for _ in 0..<bytes.number(at: directory + 10, 2) {
            guard position + 46 <= directory, bytes.number(at: position, 4) == 0x0201_4B50 else { return nil }
            let (size, length) = (bytes.number(at: position + 24, 4), bytes.number(at: position + 28, 2))
            let name = String(decoding: bytes[position + 46..<position + 46 + length], as: UTF8.self)
            let header = bytes.number(at: position + 42, 4)
            let start = header + 30 + bytes.number(at: header + 26, 2) + bytes.number(at: header + 28, 2)
            guard start + size <= directory else { return nil }
            entries[name] = Array(bytes[start..<start + size])
            position += 46 + length
        }
        self.entries = entries
    }

    /// The ids of the items in an entry.
    func ids<Subject>(_ entry: String, _ field: String) -> Set<ID<Subject>> {
        let items = try? JSONSerialization.jsonObject(with: Data(entries[entry] ?? [])) as? [[String: Any]]
        return Set((items ?? []).compactMap { ($0[field] as? String).flatMap(ID<Subject>.init) })
    }

    /// Another person's token that is not part of their nickname; nil without one.
    func stray(for userID: UserID, people: Int) -> String? {
        let texts = entries.values.map { String(decoding: $0, as: UTF8.self) }
        for person in 0..<people where Fixtures.user(person) != userID {
            let token = Fixtures.token(person)
            let isStray = texts.contains { text in
                text.replacing("\"nickname\":\"\(token)\"", with: "").contains(token)
            }
            if isStray { return token }
        }
        return nil
    }
}

extension [UInt8] {
    /// The little-endian number in some bytes; 0 beyond the end.
    fileprivate func number(at position: Int, _ count: Int) -> Int {
        guard position >= 0, position + count <= self.count else { return 0 }
        return (0..<count).reversed().reduce(0) { $0 << 8 | Int(self[position + $1]) }
    }
}
