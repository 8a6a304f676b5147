internal import PromisedDomain
internal import PromisedSettings
internal import PromisedTransport

extension ServerSettings.TLS {
    /// The header with which a server that speaks TLS itself has browsers come back by TLS alone (RFC 6797); nil without
    /// TLS, over which alone it may be said, and where it is switched off.
    var strictTransport: HTTPHeader? {
        guard certificate != nil, hsts > .zero else { return nil }
        return HTTPHeader("Strict-Transport-Security", "max-age=\(hsts.milliseconds / 1_000)")
    }
}
