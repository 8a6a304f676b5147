import PromisedProtocol

/// The codes with which each request may be rejected, beside those of all requests.
///
/// `DocumentedRefusals` in the server's tests fails for a refusal that is missing here.
enum RequestErrors {
    /// The codes that the schema declares for a request, in the order of ``ErrorCode``; nil for an unknown request.
    static func own(_ request: String) -> [ErrorCode]? {
        if withAnyError.contains(request) {
            // The forms have the users' refusals, except those of passwords.
            return ErrorCode.allCases.filter { !common.contains($0) && $0 != .authInvalidCredentials }
        }
        return declared[request].map { named in ErrorCode.allCases.filter { named.contains($0.rawValue) } }
    }
}
