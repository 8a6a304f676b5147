internal import PromisedApplication
internal import PromisedPlaces

/// The part of a document's head that messengers show for an invite link (the Open Graph protocol and cards of X).
struct InviteHead: Sendable {
    /// The page without the live map page.
    static let plainPage = PlainPage.document(
        """
        <h1>Invitation</h1>
        <p>Open this link in your app, or enter the code at its end there.</p>
        """
    )

    private let tags: [(name: String, attribute: String, content: String)]

    /// - Parameters:
    ///   - preview: nil for a neutral head.
    ///   - link: the address of the link; nil without a public origin.
    init(_ preview: InvitePreview?, link: String?) {
        var tags = [(name: "robots", attribute: "name", content: "noindex")]
        if let link {
            let title = preview?.title ?? "promised"
            tags += [
                ("og:type", "property", "website"), ("og:site_name", "property", "promised"),
                ("og:url", "property", link), ("og:title", "property", title), ("twitter:card", "name", "summary"),
            ]
            if let preview {
                let text = Self.invitation[preview.language] + (preview.text.isEmpty ? "" : "\n" + preview.text)
                tags += [
                    ("og:description", "property", text), ("description", "name", text),
                    ("og:locale", "property", preview.language == .korean ? "ko_KR" : "en_US"),
                ]
            }
        }
        self.tags = tags
    }

    private static let invitation = BilingualName(english: "You are invited to a meetup.", korean: "약속에 초대합니다.")

    /// The document with the tags at the end of its head.
    func added(to document: String) -> String {
        let lines = tags.map { "<meta \($0.attribute)=\"\($0.name)\" content=\"\(Self.escaped($0.content))\">\n" }
        guard let end = document.firstRange(of: "</head>") else { return document }
        return document[..<end.lowerBound] + lines.joined() + document[end.lowerBound...]
    }

    /// A text as the value of an attribute in double quotes.
    private static func escaped(_ text: String) -> String {
        // By scalars: a combining mark must not hide the quotation mark before it.
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\n": result += "&#10;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
