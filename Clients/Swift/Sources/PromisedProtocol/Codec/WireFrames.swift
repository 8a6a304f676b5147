/// One request of the protocol, without the frame around it.
public typealias WireRequest = WireClientFrame.OneOf_Request

extension WireClientFrame {
    /// Creates a frame with a request.
    ///
    /// - Parameter id: echoed in the reply; 0 requests none.
    public init(id: UInt32, request: WireRequest) {
        self.init()
        self.id = id
        self.request = request
    }

    /// `true` if the client wants a reply to a successful request. An error is always sent.
    public var wantsReply: Bool { id != 0 }
}

extension WireClientFrame {
    /// `true` if the bytes of a client frame in Protocol Buffers hold more than one request.
    ///
    /// In Protocol Buffers the last field of a `oneof` wins (or merges with the previous one); here two requests are
    /// malformed, so the tags of the frame itself are counted: usually two, a few nanoseconds. Bytes that do not parse
    /// are left to the decoder, which refuses them.
    static func holdsSeveralRequests(_ bytes: [UInt8]) -> Bool {
        var fields = ProtobufFields(bytes)
        var count = 0
        while let field = fields.next() {
            guard field.wireType == .lengthDelimited, requestFieldNumbers.contains(field.number) else { continue }
            count += 1
            if count > 1 { return true }
        }
        return false
    }
}

/// One reply, error or event of the protocol, without the frame around it.
public typealias WireContent = WireServerFrame.OneOf_Content

extension WireServerFrame {
    /// A frame with a reply or an error.
    ///
    /// - Parameter id: that of the request, 0 for an error to a request without one.
    public init(id: UInt32, content: WireContent) {
        self.init()
        self.id = id
        self.content = content
    }

    /// A frame with an event; it has no id.
    public init(event: WireEvent) { self.init(id: 0, content: .event(event)) }

    /// A frame with an error.
    public init(id: UInt32, error: WireErrorReply) { self.init(id: id, content: .error(error)) }
}

extension WireErrorReply {
    /// Creates an error from its code, with the code's own sentence and advice unless others are given.
    ///
    /// - Parameters:
    ///   - code: the reason for the refusal.
    ///   - message: a sentence for people.
    ///   - retry: whether the same request may succeed later.
    ///   - retryAfterMs: how long to wait before that, in milliseconds; 0 if unknown.
    ///   - field: the JSON path of the faulty field; empty if there is no single one.
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

    /// The code; nil if this version does not know it.
    public var knownCode: ErrorCode? { ErrorCode(rawValue: code) }
}
