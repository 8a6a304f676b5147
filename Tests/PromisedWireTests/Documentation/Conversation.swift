import Testing

/// A file of `docs/conversations`: frames with a line above each that says whose.
///
///     // → Ada asks
///     { "id": 1, "getMe": {} }
///
///     // ← Ada
///     { "id": 1, "me": { … } }
struct Conversation: CustomTestStringConvertible {
    /// One frame, sent by or to a user's client.
    struct Frame {
        /// The first word of the line above it.
        var person: String
        /// `true` if the client sent it, otherwise the server.
        var isFromClient: Bool
        /// Its JSON.
        var text: String
    }

    /// A line that violates the form.
    struct Malformed: Error, Equatable {
        var line: String
    }

    /// The area of the protocol, as its file is named.
    let title: String
    let frames: [Frame]

    var testDescription: String { title }

    /// Reads a file.
    init(title: String, text: String) throws {
        self.title = title
        frames = try Self.frames(of: text)
    }

    private static func frames(of text: String) throws -> [Frame] {
        var frames: [Frame] = []
        for line in text.split(separator: "\n").map(String.init) {
            if line.hasPrefix("//") {
                frames.append(try frame(markedBy: line))
            } else if frames.isEmpty {
                throw Malformed(line: line)
            } else {
                frames[frames.count - 1].text += line + "\n"
            }
        }
        return frames
    }

    private static func frame(markedBy line: String) throws -> Frame {
        guard let mark = line.firstMatch(of: #/^// (→|←) (\w+)/#) else { throw Malformed(line: line) }
        return Frame(person: String(mark.2), isFromClient: mark.1 == "→", text: "")
    }
}
