internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedWire

/// Why a request failed.
struct RequestError: Error, Sendable {
    /// The code for the client.
    var code: ErrorCode
    /// A sentence for people; if nil, the allowed values of a field out of range, or else the code's own sentence.
    var message: String?
    /// The wire path of the invalid field; empty if there is none.
    var field = ""
    /// The time to wait before a retry; zero if unknown.
    var retryAfter = Duration.zero
    /// The same on the server's clock, for rules of that clock.
    var wait = TimeSpan.zero
    /// The close code sent after the reply, if the connection can't continue.
    var closing: CloseCode?

    init(_ code: ErrorCode, message: String? = nil, field: String = "", retryAfter: Duration = .zero) {
        self.code = code
        self.message = message
        self.field = field
        self.retryAfter = retryAfter
    }

    /// The error reply, with the allowed values of a field out of range. If the client should wait, it includes the
    /// time: one second unless a rule sets another.
    func reply(to kind: RequestKind) -> WireErrorReply {
        var waitMs = UInt32(clamping: retryAfter.retryAfterMilliseconds)
        if waitMs == 0, [.limitRate, .limitAttempts, .serverUnavailable].contains(code) { waitMs = 1_000 }
        return WireErrorReply(
            code,
            message: message ?? (code == .requestInvalid ? AllowedValues.sentence(of: field, in: kind) : nil),
            retryAfterMs: waitMs,
            field: field
        )
    }
}

// MARK: - The errors of lower layers

extension RequestError {
    /// The code for any error that stopped a request: the only place that converts errors to codes.
    init(_ error: any Error) {
        switch error {
        case let error as RequestError: self = error
        case let refusal as Refusal: self.init(refusal)
        case let error as ApplicationError: self.init(error)
        case let error as EngineError: self.init(error)
        case let problem as TextProblem: self.init(.requestInvalid, message: "\(problem)", field: problem.field)
        case WireError.invalid(let field): self.init(.requestInvalid, field: field)
        case is WireError: self.init(.requestInvalid)
        case let error as TooManyAttempts: self.init(.limitAttempts, retryAfter: error.retryAfter)
        case let error as PasswordHasherError: self.init(error)
        default: self.init(StorageFailure(error))
        }
    }

    init(_ error: EngineError) {
        switch error {
        case .notFound: self.init(.promiseNotFound)
        case .refused(let refusal): self.init(refusal)
        case .unavailable, .retired: self.init(.serverUnavailable)
        }
    }

    private init(_ refusal: Refusal) {
        if case .invalid(let field) = refusal {
            // The rules also refuse valid ids: the caller's own for a nudge, the owner's for an invitation.
            let own = "The owner is always a participant: do not invite or remove the owner."
            let messages = ["userId": "You cannot do this with your own account.", "invite": own, "remove": own]
            self.init(.requestInvalid, message: messages[field], field: field)
        } else {
            self.init(ErrorCode(refusal))
        }
        if case .tooManyFixes(let wait) = refusal { self.wait = wait }
    }

    private init(_ error: ApplicationError) {
        switch error {
        case .refused(.invalid(let field), _, let message): self.init(.requestInvalid, message: message, field: field)
        case .refused(let refusal, let field, let message):
            self.init(ErrorCode(refusal), message: message, field: field)
        case .invalidCredentials: self.init(.authInvalidCredentials)
        case .invalidToken: self.init(.authTokenInvalid)
        case .localAccountsOff: self.init(.authLocalAccountsOff)
        case .tooOften(let retryAfter): self.init(.limitRate, retryAfter: retryAfter)
        case .unavailable(let retryAfter, let message):
            self.init(.serverUnavailable, message: message, retryAfter: retryAfter)
        case .broken: self.init(.serverInternal)
        }
    }

    /// - Parameter failure: nil for an unexpected error.
    private init(_ failure: StorageFailure?) {
        switch failure {
        case .unknownPromise: self.init(.promiseNotFound)
        case .transient(let isDiskFull):
            self.init(.serverUnavailable, message: isDiskFull ? RequestError.diskFull : nil)
        case .permanent, nil: self.init(.serverInternal)
        }
    }

    private static let diskFull =
        "The disk of the server is full, and this was not written: free space on it, then try again."

    private init(_ error: PasswordHasherError) {
        switch error {
        // Too many passwords wait; a retry after a second finds a shorter queue.
        case .overloaded: self.init(.serverUnavailable, retryAfter: .seconds(1))
        case .crowded: self.init(.limitAttempts, retryAfter: .seconds(1))
        case .cancelled: self.init(.serverUnavailable)
        case .failed, .malformedHash: self.init(.serverInternal)
        }
    }
}

/// The allowed values of a request's field, in words, as declared in the schema.
enum AllowedValues {
    /// The default sentence of a `request.invalid`; nil for a field without a range.
    ///
    /// - Parameters:
    ///   - field: the wire path, such as `place.latitude` or `inviteeIds[3]`.
    ///   - kind: the request; fields of the same name may differ.
    static func sentence(of field: String, in kind: RequestKind) -> String? {
        let name = String(field.split(separator: ".").last?.prefix { $0 != "[" } ?? "")
        if FieldRange.namesOfIDs.contains(name) {
            return "An id is a UUID such as 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b."
        }
        let message = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
        let phrase = FieldRange.phrases["\(message).\(field)"] ?? FieldRange.phrases[name]
        return phrase.map { "\(field) must be \($0)." }
    }
}

/// The outcome of a successful request.
enum Answer<Reply: Sendable>: Sendable {
    case reply(Reply)
    /// The reply has been sent, so that no event overtakes it.
    case sent
}

extension Answer<WireContent> {
    /// The request succeeded; the reply has no content.
    static var done: Answer { .reply(.done(WireDone())) }
}
