extension TextRule {
    /// A promise's title: 1–60 characters.
    package static let title = TextRule(field: "title", length: 1...60)
    /// A promise's note: at most 500 characters, possibly empty.
    package static let note = TextRule(field: "note", length: 0...500)
    /// A place's name: 1–100 characters.
    package static let placeName = TextRule(field: "place.name", length: 1...100)
    /// A place's address: at most 200 characters, possibly empty.
    package static let placeAddress = TextRule(field: "place.address", length: 0...200)
    /// A participant's status text: at most 80 characters; empty clears it.
    package static let statusText = TextRule(field: "text", length: 0...80)
    /// A participant's emoji: one grapheme cluster, whichever, since new emoji appear every year; empty clears it.
    package static let emoji = TextRule(field: "emoji", length: 0...1)
    /// The key of a user's picture: at most 64 characters; empty clears it.
    package static let avatar = TextRule(field: "avatar", length: 0...64)
    /// A device's own id: 1–64 characters.
    package static let deviceID = TextRule(field: "deviceId", length: 1...64)
    /// A device's boot id: 1–64 characters.
    package static let bootID = TextRule(field: "bootId", length: 1...64)
    /// The key of a promise's creation: 1–64 characters.
    package static let creationKey = TextRule(field: "key", length: 1...64)
    /// A reason given to others, for a cancellation: at most 200 characters, possibly empty.
    package static let reason = TextRule(field: "reason", length: 0...200)
    /// Why somebody is excused: 1–200 characters.
    package static let excuse = TextRule(field: "reason", length: 1...200)
}
