extension WireErrorReply {
    /// An error by its code, with the code's own sentence and advice unless others are given.
    ///
    /// - Parameters:
    ///   - code: why the request is refused.
    ///   - message: a sentence for people.
    ///   - retry: whether the same request may succeed later.
    ///   - retryAfterMs: how long to wait before that, in milliseconds; 0 when nothing is known.
    ///   - field: the JSON path of the field that is at fault; empty when no single one is.
    public init(
        _ code: ErrorCode,
        message: String? = nil,
        retry: Retry? = nil,
        retryAfterMs: UInt32 = 0,
        field: String = ""
    ) {
        self.init()
        self.code = code.rawValue
        self.message = message ?? code.sentence
        self.retry = (retry ?? code.retry).wireValue
        self.retryAfterMs = retryAfterMs
        self.field = field
    }

    /// The code, nil for one that this version does not know.
    public var knownCode: ErrorCode? { ErrorCode(rawValue: code) }
}
