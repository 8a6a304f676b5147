internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedWire

/// Why a request is not answered with its reply.
struct RequestError: Error, Sendable {
    /// What the client is told.
    var code: ErrorCode
    /// A sentence for people, for a field out of range what it may hold; nil for the code's own.
    var message: String?
    /// The field at fault, by its path on the wire; empty without one.
    var field = ""
    /// How long to wait before trying again; zero when nothing is known.
    var retryAfter = Duration.zero
    /// Whether it is refused because too many passwords waited.
    var isCrowded = false
    /// The same on the server's clock, where a rule of that clock says so.
    var wait = TimeSpan.zero
    /// The close code that follows the reply, if the connection can't go on.
    var closing: CloseCode?

    init(_ code: ErrorCode, message: String? = nil, field: String = "", retryAfter: Duration = .zero) {
        self.code = code
        self.message = message ?? (code == .requestInvalid ? AllowedValues.sentence(of: field) : nil)
        self.field = field
        self.retryAfter = retryAfter
    }

    init(_ refusal: Refusal) {
        if case .invalid(let field) = refusal {
            // The rules refuse a good id as well: one's own to be nudged, the owner's to be invited or removed.
            let own = "The owner is part of the promise and can be neither invited nor removed."
            let messages = ["userId": "That is you.", "invite": own, "remove": own]
            self.init(.requestInvalid, message: messages[field], field: field)
        } else {
            self.init(ErrorCode(refusal))
        }
        if case .tooManyFixes(let wait) = refusal { self.wait = wait }
    }

    init(_ error: EngineError) {
        switch error {
        case .notFound: self.init(.promiseNotFound)
        case .refused(let refusal): self.init(refusal)
        case .unavailable, .retired: self.init(.serverUnavailable)
        }
    }

    init(_ problem: TextProblem) {
        self.init(.requestInvalid, message: "\(problem)", field: problem.field)
    }

    init(_ error: WireError) {
        switch error {
        case .invalid(let field): self.init(.requestInvalid, field: field)
        case .malformed, .unencodable: self.init(.requestInvalid)
        }
    }

    /// The same; one about the meeting time says how near and how far ahead it may be.
    func namingTime(_ spans: WindowSpans) -> RequestError {
        var error = self
        switch code {
        case .promiseTooSoon:
            error.message = "The meeting is too soon: it must be at least \(spans.before.inWords) ahead."
        case .promiseTooFar:
            error.message = "The meeting is too far ahead: at most \(PromiseLimits.furthestAhead.inWords) are allowed."
        default: return self
        }
        if field.isEmpty { error.field = "meetsAt" }
        return error
    }

    /// The error as it goes over the wire.
    var reply: WireErrorReply {
        WireErrorReply(
            code,
            message: message,
            retryAfterMs: UInt32(clamping: retryAfter.retryAfterMilliseconds),
            field: field
        )
    }
}

extension RequestError {
    /// Runs a conversion from the wire, its error as the answer to the request.
    static func wrap<Value>(_ convert: () throws(WireError) -> Value) throws(RequestError) -> Value {
        do throws(WireError) {
            return try convert()
        } catch {
            throw RequestError(error)
        }
    }

    /// The same for the content of a field.
    static func wrap<Value>(
        inside parent: String,
        _ convert: () throws(WireError) -> Value
    ) throws(RequestError) -> Value {
        try wrap { () throws(WireError) in try WireError.inside(parent, convert) }
    }

    /// Runs a check of a text, its problem as the answer to the request.
    @discardableResult
    static func checked<Value>(_ check: () throws(TextProblem) -> Value) throws(RequestError) -> Value {
        do throws(TextProblem) {
            return try check()
        } catch {
            throw RequestError(error)
        }
    }

    /// The id of a promise as a request names it.
    static func promiseID(_ text: String) throws(RequestError) -> PromiseID {
        try wrap { () throws(WireError) in try PromiseID(wire: text, field: "promiseId") }
    }

    /// The id of a user as a request names it.
    static func userID(_ text: String) throws(RequestError) -> UserID {
        try wrap { () throws(WireError) in try UserID(wire: text, field: "userId") }
    }
}

extension SessionRegistry {
    /// Runs `body` on the session of a promise that a request names, its error as the answer to the request.
    nonisolated func requested<Value: Sendable>(
        _ id: PromiseID,
        _ body: @Sendable (PromiseSession) async throws(EngineError) -> Value
    ) async throws(RequestError) -> Value {
        do throws(EngineError) {
            return try await withSession(of: id, body)
        } catch {
            throw RequestError(error)
        }
    }
}
