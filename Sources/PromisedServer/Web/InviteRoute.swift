internal import Logging
internal import PromisedApplication
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
