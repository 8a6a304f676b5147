internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// What administrators do to accounts.
extension UserAdministration {
    /// Answers `createUser`, checked as a sign-up is, but not throttled.
    func create(_ request: WireAdminCreateUser, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        try accounts.requireLocalAccounts()
        var signUp = WireSignUp()
        signUp.email = request.email
        signUp.password = request.password
        signUp.nickname = request.nickname
        let (email, nickname) = try accounts.checked(signUp)
        guard !request.checkOnly else {
            let outcome = try await RequestError.stored { () async throws(StoreError) in
                try await store.signUpOutcome(
                    emailKey: email.key,
                    nickname: ChosenNickname(text: nickname.text, key: nickname.key)
                )
            }
            try outcome.requireCreated()
            return .user(WireAdminUser())
        }
        let id = try await accounts.register(signUp, for: .trusted, at: caller.now) {
            caller.audit("createUser", of: $0.wireText)
        }
        return .user(try await user(id, at: caller.now))
    }

    /// Answers `disableUser`, also when it was disabled before.
    func disable(_ request: WireAdminDisableUser, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let id = try await livingID(request.userID, at: caller.now)
        let audit = caller.audit("disableUser", of: id.wireText)
        _ = try await accounts.disable(id, at: caller.now, audit: audit)
        return .user(try await user(id, at: caller.now))
    }

    /// Answers `enableUser`, also when it was not disabled.
    func enable(_ request: WireAdminEnableUser, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let id = try await livingID(request.userID, at: caller.now)
        let audit = caller.audit("enableUser", of: id.wireText)
        _ = try await RequestError.stored { () async throws(StoreError) in
            try await store.enable(id, audit: audit)
        }
        return .user(try await user(id, at: caller.now))
    }

    /// Answers `resetPassword`.
    func resetPassword(
        _ request: WireAdminResetPassword,
        from caller: AdminCaller
    ) async throws(RequestError) -> AdminReply {
        try accounts.requireLocalAccounts()
        let id = try await livingID(request.userID, at: caller.now)
        var generator = SystemRandomNumberGenerator()
        let made = request.hasPassword ? nil : GeneratedPassword(using: &generator).text
        try await accounts.resetPassword(
            of: id,
            to: made ?? request.password,
            at: caller.now,
            audit: caller.audit("resetPassword", of: id.wireText)
        )
        var reply = WireAdminPassword()
        reply.password = made ?? ""
        return .password(reply)
    }

    /// Answers `deleteUser`.
    func delete(_ request: WireAdminDeleteUser, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let id = try await livingID(request.userID, at: caller.now)
        let audit = caller.audit("deleteUser", of: id.wireText)
        guard try await deletions.erase(id, at: caller.now, audit: audit) else {
            throw RequestError(.userNotFound, field: "userId")
        }
        return .done(WireAdminDone())
    }

    /// Answers `kickUser`.
    func kick(_ request: WireAdminKickUser, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let id = try await livingID(request.userID, at: caller.now)
        let audit = caller.audit("kickUser", of: id.wireText, detail: request.signOut ? "signed out" : "")
        let ended = try await RequestError.stored { () async throws(StoreError) in
            guard request.signOut else {
                try await store.record(audit)
                return 0
            }
            return try await store.revokeAll(of: id, at: caller.now, audit: audit).count
        }
        var reply = WireAdminKicked()
        reply.connections = UInt32(clamping: accounts.revocation.close(connectionsOf: id, because: .kicked))
        reply.signIns = UInt32(clamping: ended)
        return .kicked(reply)
    }

}
