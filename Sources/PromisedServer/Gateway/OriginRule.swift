internal import PromisedTransport

/// Which web pages may connect: those of the server's own host, and those an operator lists.
struct OriginRule: Sendable {
    private let allowed: Set<String>

    /// A rule with a list of origins such as `https://meet.example`.
    init(allowed: [String]) {
        self.allowed = Set(allowed.map { $0.lowercased() })
    }

    /// Whether a page of that origin may connect; programs send none and may.
    func allows(_ origin: String?, host: String) -> Bool {
        guard let origin else { return true }
        return allowed.contains(origin.lowercased()) || OriginPolicy.sameHost.allows(origin: origin, host: host)
    }
}
