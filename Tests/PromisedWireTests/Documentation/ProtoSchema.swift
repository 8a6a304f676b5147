/// The declarations of the `.proto` files: names, types and comments, in the order of the files' names and lines.
struct ProtoSchema {
    /// Every message, nested ones after the one around them.
    var messages: [ProtoMessage] = []

    /// A message by its full name, such as `Promise` or `Event.Positions`.
    func message(named name: String) -> ProtoMessage? {
        messages.first { $0.name == name }
    }

    /// The branches of the `oneof` of a message; empty without one, or for an unknown message.
    func branches(of name: String) -> [ProtoField] {
        message(named: name)?.fields.filter(\.isBranch) ?? []
    }

    /// The requests: the branches of a client's frame.
    var requests: [ProtoField] { branches(of: "ClientFrame") }

    /// The replies, the error among them: the branches of a server's frame but the event.
    var replies: [ProtoField] { branches(of: "ServerFrame").filter { $0.name != "event" } }

    var events: [ProtoField] { branches(of: "Event") }
}

/// A message, or the enumeration that is alone in one.
struct ProtoMessage: Hashable {
    /// The name with those of the messages around it: `Event.Positions`.
    var name: String
    /// The file without its extension: `accounts`.
    var area: String
    /// The comment above it, with joined lines; empty without one.
    var comment: String
    /// The fields, those of its `oneof` included.
    var fields: [ProtoField] = []
    /// The values of its enumeration but `UNSPECIFIED`; empty without one.
    var values: [ProtoValue] = []

    /// `true` if it only contains an enumeration.
    var isEnumeration: Bool { !values.isEmpty }
}

/// A field of a message.
struct ProtoField: Hashable {
    /// The name in JSON: `expiresInMs`.
    var name: String
    var type: ProtoType
    /// `true` if an absent value differs from the default by the field's own declaration.
    var isOptional = false
    var isRepeated = false
    /// `true` for a branch of a `oneof`.
    var isBranch = false
    /// The comment above it, its lines joined.
    var comment: String
}

/// A value of an enumeration.
struct ProtoValue: Hashable {
    var name: String
    var comment: String
}

/// The type of a field. Enumerations and messages are named in full; an enumeration by the message that holds it.
enum ProtoType: Hashable {
    case text
    /// In JSON a text in Base64.
    case bytes
    case flag
    case number
    case signed
    case unsigned
    case instant
    case enumeration(String)
    case message(String)
}
