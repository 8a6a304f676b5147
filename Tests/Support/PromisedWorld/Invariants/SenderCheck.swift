internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedWire

extension WireRequest {
    /// Its name in the schema.
    var name: String { RequestKind(self).rawValue }
}

/// Checks that requests act for the user of their connection, and for nobody before the sign-in.
struct SenderCheck: Sendable {
    /// The connections whose client has sent its token.
    private var greeted: Set<ConnectionNumber> = []

    /// Records the arrival of a request.
    ///
    /// - Returns: `true` if the connection has a user by then, or may have one before the reply.
    mutating func noteArrival(of request: WireRequest?, on connection: ConnectionNumber) -> Bool {
        if case .hello = request { greeted.insert(connection) }
        return greeted.contains(connection)
    }

    /// - Parameter hasUser: as returned at the arrival of the request.
    /// - Throws: a success before the sign-in, or a reply about another user.
    static func check(_ reply: WireContent, to userID: UserID, hasUser: Bool) throws(Violation) {
        if !hasUser {
            guard case .error(let error) = reply, error.knownCode != .authTokenInvalid else {
                throw Violation(.sender, "a request is answered before the sign-in")
            }
        }
        let told: String
        switch reply {
        case .welcome(let welcome): told = welcome.user.userID
        case .me(let me): told = me.user.userID
        default: return
        }
        guard told == userID.wireText else {
            throw Violation(.sender, "\(userID.low & 0xFF) is taken for \(told.suffix(2))")
        }
    }

    /// - Parameter owners: the user of each device; a fix of a deleted account names none of them.
    /// - Throws: a fix that is stored for another user than its device's.
    static func check(_ fixes: [ArchivedFix], from owners: [String: UserID]) throws(Violation) {
        for fix in fixes {
            guard let owner = owners[fix.device.deviceID], owner != fix.userID else { continue }
            throw Violation(.sender, "a fix of \(owner.low & 0xFF) is stored for \(fix.userID.low & 0xFF)")
        }
    }
}

/// Checks that a connection's requests stay within their rate.
struct RateCheck: Sendable {
    private static let window = TimeSpan.seconds(1)

    /// The most requests in any second.
    private let most: Int
    /// When the allowed requests of the last second arrived, by connection.
    private var allowed: [ConnectionNumber: [Instant]] = [:]

    init(perSecond: Int, burst: Int) { most = perSecond + burst }

    /// Records the reply to a request that arrived at an instant; the replies of a connection are in order.
    ///
    /// - Throws: more allowed requests than the rate and the burst together.
    mutating func note(_ reply: WireContent, on connection: ConnectionNumber, arrivedAt: Instant) throws(Violation) {
        if case .error(let error) = reply, error.knownCode == .limitRate { return }
        var instants = allowed[connection] ?? []
        instants.removeAll { $0 <= arrivedAt - Self.window }
        instants.append(arrivedAt)
        allowed[connection] = instants
        guard instants.count > most else { return }
        throw Violation(.rate, "\(instants.count) requests of a connection in a second, at most \(most) are allowed")
    }
}
