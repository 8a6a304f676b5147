internal import Crypto
internal import Foundation
internal import PromisedSettings
internal import PromisedTransport

/// `/metrics`, and the access to it (docs/protocol.md#http): for requests with the token, and for peers on this machine
/// or in one of the allowed networks, unless the request went through a proxy, whose address would stand for all its
/// clients.
struct MetricsRoute: Sendable {
    struct Access: Sendable {
        /// `true` if the page exists.
        var isEnabled = true
        /// nil if no token grants access.
        var token: String?
        /// The networks whose hosts need no token, in addition to this machine.
        var networks: [AddressRange] = []
    }

    private let access: Access
    private let registry: MetricRegistry

    init(_ registry: MetricRegistry, access: Access) {
        self.registry = registry
        self.access = access
    }

    /// The page, or a refusal: 404 if it is disabled, 401 or 403 without access.
    func respond(to request: HTTPRequest) -> HTTPResponse {
        guard access.isEnabled else { return .notFound }
        guard hasToken(request) || isNear(request) else {
            guard access.token != nil else { return .text("forbidden\n", status: 403) }
            let challenge = HTTPHeader("WWW-Authenticate", #"Bearer realm="metrics""#)
            return HTTPResponse(status: 401, headers: [challenge])
        }
        return HTTPResponse(
            status: 200,
            contentType: PrometheusPage.contentType,
            headers: [.init("Cache-Control", "no-store")],
            body: Array(registry.page.utf8)
        )
    }

    /// Compares digests, so that timing reveals nothing about the token.
    private func hasToken(_ request: HTTPRequest) -> Bool {
        guard let token = access.token, let authorization = request.authorization,
            authorization.prefix(7).lowercased() == "bearer "
        else { return false }
        let given = Data(authorization.dropFirst(7).utf8)
        return SHA256.hash(data: given) == SHA256.hash(data: Data(token.utf8))
    }

    private func isNear(_ request: HTTPRequest) -> Bool {
        guard !request.isForwarded else { return false }
        guard let address = IPNumber(request.remoteAddress) else { return false }
        return address.isLoopback || access.networks.contains { $0.contains(address) }
    }
}
