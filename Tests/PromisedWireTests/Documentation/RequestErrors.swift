import PromisedProtocol

/// The codes with which each request may be refused, beside those that any request may meet.
///
/// `DocumentedRefusals` in the server's tests looks at every refusal that a test sees and fails when it is not named here.
enum RequestErrors {
    /// The codes of a request's own as the schema declares them, in the order of ``ErrorCode``; nil for a request that it
    /// does not know.
    static func own(_ request: String) -> [ErrorCode]? {
        if withAnyError.contains(request) {
            // The forms meet the refusals that users meet; only passwords are never asked for.
            return ErrorCode.allCases.filter { !common.contains($0) && $0 != .authInvalidCredentials }
        }
        return declared[request].map { named in ErrorCode.allCases.filter { named.contains($0.rawValue) } }
    }
}
