internal import Logging
internal import PromisedApplication
internal import PromisedPlaces
internal import PromisedSettings
internal import PromisedTransport

/// `/j/CODE`: an invite link. Messengers read its head; browsers get the page, which asks before it joins.
///
/// A wrong code gets the same page without a preview.
struct InviteRoute: Sendable {
    static let prefix = "/j/"
    /// The longest code, with separators.
    private static let longest = 40

    private let previews: InvitePreviews
    private let site: WebSite?
    /// The server's public origin; nil without previews.
    private let base: String?
    private let log: Logger

    init(_ previews: InvitePreviews, site: WebSite?, base: String?, log: Logger) {
        self.previews = previews
        self.site = site
        self.base = base
        self.log = log
    }

    /// The code in a path; nil for another path.
    static func code(in path: String) -> String? {
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        let code = path.utf8.dropFirst(prefix.utf8.count)
        let isPlain = code.allSatisfy { byte in
            byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        }
        return isPlain && !code.isEmpty && code.count <= longest ? String(code) : nil
    }

    /// - Parameter address: the client's, for the limit on wrong codes.
    func respond(to request: HTTPRequest, code: String, from address: ThrottleAddress) -> HTTPReply {
        guard let base else { return .now(page(InviteHead(nil, link: nil), for: request)) }
        return .later {
            do {
                let preview = try await previews.preview(of: code, from: address)
                return page(InviteHead(preview, link: base + Self.prefix + code), for: request)
            } catch {
                log.warning("The preview of an invite link failed.", metadata: ["error": "\(error)"])
                return page(InviteHead(nil, link: base + Self.prefix + code), for: request)
            }
        }
    }

    private func page(_ head: InviteHead, for request: HTTPRequest) -> HTTPResponse {
        let headers = [HTTPHeader("Cache-Control", "no-store"), HTTPHeader("X-Robots-Tag", "noindex")]
        let policy = site?.headers(for: request) ?? WebPolicy(tiles: nil).headers(host: request.host)
        return HTTPResponse(
            status: 200,
            contentType: "text/html; charset=utf-8",
            headers: headers + policy,
            body: Array(head.added(to: site?.start ?? InviteHead.plainPage).utf8)
        )
    }
}

/// The part of a document's head that messengers show for an invite link (the Open Graph protocol and cards of X).
struct InviteHead: Sendable {
    /// The page without the live map page.
    static let plainPage = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>promised</title>
        </head>
        <body>
        <main>
        <h1>Invitation</h1>
        <p>Open this link in your app, or enter the code at its end there.</p>
        </main>
        </body>
        </html>

        """

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
