import Testing

/// A conversation that a document shows in a block marked `jsonc`: frames with a line above each that says whose.
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

    /// A block that violates the form.
    struct Malformed: Error, Equatable {
        var line: String
    }

    /// The heading above the block.
    var title: String
    var frames: [Frame]

    var testDescription: String { title }

    /// The conversations of a Markdown text, in its order.
    static func all(in markdown: String) throws -> [Conversation] {
        var conversations: [Conversation] = []
        var title = ""
        var block: [String]?
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if let lines = block {
                if line != "```" {
                    block = lines + [line]
                } else {
                    conversations.append(Conversation(title: title, frames: try frames(of: lines)))
                    block = nil
                }
            } else if line == "```jsonc" {
                block = []
            } else if line.hasPrefix("#") {
                title = String(line.drop { $0 == "#" }.dropFirst())
            }
        }
        guard block == nil else { throw Malformed(line: "(the end)") }
        return conversations
    }

    private static func frames(of lines: [String]) throws -> [Frame] {
        var frames: [Frame] = []
        for line in lines where !line.isEmpty {
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
