internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// The administrators' own tokens.
struct TokenAdministration: Sendable {
    let store: Store
    let access: AdminAccess

    /// Answers `createToken`; the secret is shown this once.
    func create(_ request: WireAdminCreateToken, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let order = try wrap { () throws(TextProblem) in
            try AdminTokenOrder(name: request.name, validMs: request.hasValidMs ? request.validMs : nil)
        }
        let (secret, token) = order.issue(at: RealTime.now)
        let audit = caller.audit("createToken", of: token.id.wireText, detail: token.name)
        try await RequestError.stored { () async throws(StoreError) in
            try await store.createAdminToken(token, hash: secret.hash, audit: audit)
        }
        var reply = WireAdminNewToken()
        reply.secret = secret.text
        reply.token = WireAdminToken(token)
        return .newToken(reply)
    }

    /// Answers `listTokens`.
    func list() async throws(RequestError) -> AdminReply {
        let tokens = try await RequestError.stored { () async throws(StoreError) in try await store.adminTokens() }
        var reply = WireAdminTokens()
        reply.tokens = tokens.map { WireAdminToken($0) }
        return .tokens(reply)
    }

    /// Answers `revokeToken`, also when it was revoked before. Its connections are closed, the one that asks, too.
    func revoke(_ request: WireAdminRevokeToken, from caller: AdminCaller) async throws(RequestError) -> AdminReply? {
        let id = try RequestError.wrap { () throws(WireError) in
            try AdminTokenID(wire: request.tokenID, field: "tokenId")
        }
        let audit = caller.audit("revokeToken", of: id.wireText)
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.revokeAdminToken(id, at: RealTime.now, audit: audit)
        }
        guard outcome != nil else {
            throw RequestError(.requestInvalid, message: "There is no such token.", field: "tokenId")
        }
        guard caller.administrator.tokenID == id else {
            access.closeConnections(of: id)
            return .done(WireAdminDone())
        }
        // Answered first: nothing reaches a connection that was closed.
        access.send(.done(WireAdminDone()), to: caller)
        access.closeConnections(of: id)
        return nil
    }

    private func wrap(_ check: () throws(TextProblem) -> AdminTokenOrder) throws(RequestError) -> AdminTokenOrder {
        do throws(TextProblem) {
            return try check()
        } catch {
            throw RequestError(error)
        }
    }
}

extension WireAdminToken {
    /// What is known about a token.
    init(_ token: AdminToken) {
        self.init()
        tokenID = token.id.wireText
        name = token.name
        createdAt = WireTimestamp(token.createdAt)
        if let expiresAt = token.expiresAt { self.expiresAt = WireTimestamp(expiresAt) }
        if let revokedAt = token.revokedAt { self.revokedAt = WireTimestamp(revokedAt) }
        if let lastUsedAt = token.lastUsedAt { self.lastUsedAt = WireTimestamp(lastUsedAt) }
    }
}
