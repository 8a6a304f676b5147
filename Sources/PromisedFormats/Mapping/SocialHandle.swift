/// A social network whose accounts have addresses.
package enum SocialNetwork: String, Hashable, Sendable, CaseIterable {
    case instagram, facebook, x, youtube, threads, tiktok
    case naverBlog = "naver-blog"

    /// The network of a name in presets.
    ///
    /// - Throws: ``FormatError/badOption(reason:)`` with the known names.
    init(named name: String) throws(FormatError) {
        guard let network = SocialNetwork(rawValue: name) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badOption(reason: "the network \(name) is unknown: use one of \(names)")
        }
        self = network
    }

    /// The address without the account.
    fileprivate var prefix: String {
        switch self {
        case .instagram: "https://www.instagram.com/"
        case .facebook: "https://www.facebook.com/"
        case .x: "https://x.com/"
        case .youtube: "https://www.youtube.com/@"
        case .threads: "https://www.threads.net/@"
        case .tiktok: "https://www.tiktok.com/@"
        case .naverBlog: "https://blog.naver.com/"
        }
    }

    /// The names by which texts call the networks, without blanks.
    fileprivate static let labels: [(String, SocialNetwork)] = [
        ("instagram", .instagram), ("insta", .instagram), ("인스타그램", .instagram), ("인스타", .instagram),
        ("facebook", .facebook), ("페이스북", .facebook), ("twitter", .x), ("트위터", .x), ("youtube", .youtube),
        ("유튜브", .youtube), ("threads", .threads), ("스레드", .threads), ("tiktok", .tiktok), ("틱톡", .tiktok),
        ("네이버블로그", .naverBlog), ("네이버 블로그", .naverBlog), ("naver blog", .naverBlog), ("블로그", .naverBlog),
    ]
}

/// Handles of accounts in open data.
///
/// - `@name` is an account of the network that the preset names; `name` alone only if it cannot be a host.
/// - `인스타그램: name`, `Instagram @name` name their network.
/// - An address, and a text with anything else in it, is no handle.
enum SocialHandle {
    /// The address of a handle; nil for any other text.
    static func address(_ text: String, in network: SocialNetwork) -> String? {
        let lower = text.lowercased()
        for (label, named) in SocialNetwork.labels where lower.hasPrefix(label) {
            let rest = text.dropFirst(label.count)
            let handle = rest.drop { " :：@".contains($0) }
            // Without a sign in between, the letters are the start of a name.
            if handle.startIndex > rest.startIndex, isHandle(handle) { return named.prefix + handle }
        }
        let handle = text.hasPrefix("@") ? text.dropFirst() : text[...]
        guard isHandle(handle), text.hasPrefix("@") || !handle.contains(".") else { return nil }
        return network.prefix + handle
    }

    private static func isHandle(_ text: Substring) -> Bool {
        (1...50).contains(text.utf8.count) && text.first != "." && text.last != "."
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }
}
