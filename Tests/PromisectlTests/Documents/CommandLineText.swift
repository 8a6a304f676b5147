import Testing

/// A command of this repository as a document writes it.
struct CommandLineText: Hashable, Sendable, CustomTestStringConvertible {
    /// `promised`, `promisectl`, `promise-load` or a script such as `scripts/load-test`.
    let program: String
    /// The words up to the end of the command, without quotation marks.
    let words: [String]

    var testDescription: String { ([program] + words).joined(separator: " ") }

    /// The options among the words, without their values.
    var options: [String] {
        words.filter { $0.hasPrefix("--") && $0.count > 2 }.map { String($0.prefix { $0 != "=" }) }
    }

    /// The words before the first option: subcommands, and perhaps names. Alternatives give a list each.
    var leadings: [[String]] {
        words.prefix { !$0.hasPrefix("-") }.reduce(into: [[]]) { lists, word in
            lists = lists.flatMap { list in word.split(separator: "|").map { list + [String($0)] } }
        }
    }

    private static let programs: Set = ["promised", "promisectl", "promise-load"]

    /// The commands of this repository in a line of a shell.
    static func all(in line: some StringProtocol) -> [CommandLineText] {
        var commands: [CommandLineText] = []
        var words: [String] = []
        func finish() {
            // After "--" follows the command run by a program such as runuser.
            let start =
                words.first.map { ["runuser", "sudo", "exec"].contains($0) } == true ? words.lastIndex(of: "--") : nil
            let own = start.map { Array(words[($0 + 1)...]) } ?? words
            if let first = own.first, let program = program(first) {
                commands.append(CommandLineText(program: program, words: Array(own.dropFirst())))
            }
            words = []
        }
        for token in tokens(of: String(line)) {
            switch token {
            case .word(let word): words.append(word)
            case .end: finish()
            }
        }
        finish()
        return commands
    }

    private static func program(_ word: String) -> String? {
        if programs.contains(word) { return word }
        let path = word.hasPrefix("./") ? word.dropFirst(2) : word[...]
        if path == "scripts/run" || path.hasSuffix("/promised") && path.hasPrefix(".build") { return "promised" }
        return path.hasPrefix("scripts/") && !path.contains("*") ? String(path) : nil
    }

    // MARK: - Reading

    private enum Token {
        case word(String)
        case end
    }

    private static func tokens(of line: String) -> [Token] {
        var tokens: [Token] = []
        var word = ""
        var isWord = false
        var quote: Character?
        func finish() {
            if isWord { tokens.append(.word(word)) }
            (word, isWord) = ("", false)
        }
        var rest = line[...]
        while let character = rest.popFirst() {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
                continue
            }
            switch character {
            case "\"", "'":
                quote = character
                isWord = true
            case " ", "\t": finish()
            case "#" where !isWord: rest = ""
            case ";", "&", "(", ")", "<", ">":
                finish()
                tokens.append(.end)
            // A pipe between words; within a word, alternatives, as in start|stop.
            case "|" where !isWord || rest.first == " ":
                finish()
                tokens.append(.end)
            default:
                word.append(character)
                isWord = true
            }
        }
        finish()
        return tokens
    }
}
