import PromisedProtocol

/// The model's reason for a rejection.
struct No: Error {
    let code: ErrorCode

    init(_ code: ErrorCode) { self.code = code }
}
