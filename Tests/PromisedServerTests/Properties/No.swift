import PromisedProtocol

/// Why the model says no.
struct No: Error {
    let code: ErrorCode

    init(_ code: ErrorCode) { self.code = code }
}
