internal import Foundation
internal import PromisedDomain

/// The visual form of a nickname: names that the eye confuses have the same skeleton (decision 0030).
///
/// The skeleton by Unicode Technical Standard #39 §4 of the compatible form, lower-cased, then once more the skeleton:
/// `PAUL`, `PauI` with a capital I, `Pau1`, and the same in look-alike Cyrillic or full-width letters are all `paul`.
enum NicknameSkeleton {
    static func skeleton(of nickname: String) -> String { prototypes(prototypes(nickname).lowercased()) }

    /// Stores the skeletons of all accounts. Among look-alikes the oldest gets it; the others keep their names without
    /// a skeleton, so that no user is renamed.
    static func fill(_ db: SQLConnection) throws {
        let names = try db.rows("SELECT id, nickname FROM user WHERE nickname IS NOT NULL ORDER BY created_at, id")
        for row in names {
            let user: UserID = try row.value("id")
            try db.run(
                "UPDATE OR IGNORE user SET nickname_skeleton = ? WHERE id = ?",
                [skeleton(of: try row.value("nickname")), user]
            )
        }
    }

    private static func prototypes(_ text: String) -> String {
        var seen = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            if let prototype = lookalikes[scalar] {
                seen.append(contentsOf: prototype)
            } else {
                seen.append(scalar)
            }
        }
        return String(seen).decomposedStringWithCanonicalMapping
    }

    private static let lookalikes: [Unicode.Scalar: [Unicode.Scalar]] = {
        var lookalikes: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for entry in table.split(separator: " ") {
            let sides = entry.split(separator: "=")
            guard sides.count == 2, let scalar = scalar(sides[0]) else { continue }
            lookalikes[scalar] = sides[1].split(separator: "+").compactMap(scalar(_:))
        }
        return lookalikes
    }()

    private static func scalar(_ digits: Substring) -> Unicode.Scalar? {
        UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    }
}
