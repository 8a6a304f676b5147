package import PromisedDomain
package import PromisedPlaces

/// A provider of forecasts. Implementations request only cells; one conformance suite covers them all.
package protocol WeatherProvider: Sendable {
    /// The provider's name.
    var source: WeatherSource { get }

    /// Requests the forecast of a cell.
    ///
    /// - Parameters:
    ///   - modified: the provider's modification date of the known forecast; nil without one.
    ///   - now: the server's clock.
    ///   - fetcher: the HTTP client; every request goes through it.
    func forecast(
        of cell: WeatherCell,
        since modified: String?,
        at now: Instant,
        through fetcher: any HTTPFetching
    ) async throws(WeatherFailure) -> ProviderAnswer<ForecastHour>

    /// Clears the key, so that it is read again.
    func reload()
}

/// A provider of forecasts of the air's quality, by the same rules.
package protocol AirProvider: Sendable {
    /// Requests the air's quality in a cell.
    func air(
        of cell: WeatherCell,
        since modified: String?,
        at now: Instant,
        through fetcher: any HTTPFetching
    ) async throws(WeatherFailure) -> ProviderAnswer<AirHour>

    /// Clears the key, so that it is read again.
    func reload()
}

package struct ProviderAnswer<Hour: Sendable>: Sendable {
    /// The answer itself.
    package enum Content: Sendable {
        /// The known hours are still valid.
        case unchanged
        /// The provider has no data for the cell.
        case unknownCell
        /// Hours, ascending, each at most once; at least one.
        case hours([Hour])
    }

    package let content: Content
    /// The provider's modification date of the answer.
    package let modified: String?
    /// How long the answer is valid; nil if the provider did not say.
    package let freshFor: TimeSpan?
}

/// Why a provider's weather is unavailable. The descriptions contain no address, key or cell.
package enum WeatherFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// There was no reply.
    case outside(OutsideError)
    /// The provider answered with an error status.
    case status(Int)
    /// The provider's limit is reached.
    case limited(retryAfter: TimeSpan?)
    /// The provider is temporarily unavailable, possibly until a given time.
    case unavailable(retryAfter: TimeSpan?)
    /// The provider rejects the key or the caller.
    case refused
    /// The key is unreadable.
    case key(ProviderKeyProblem)
    /// The provider reported an error code.
    case reported(String)
    /// The reply does not match the provider's documentation.
    case malformed

    /// A short sentence.
    package var description: String {
        switch self {
        case .outside(let error): error.description
        case .status(let status): "the provider answered with status \(status)"
        case .limited: "the provider's limit of requests is reached"
        case .unavailable: "the provider cannot answer now"
        case .refused: "the provider refuses the key or the contact: correct weather.key-file or weather.contact"
        case .key(let problem): problem.description
        case .reported(let code): "the provider reported the error \(code)"
        case .malformed: "the reply is not what the provider documents"
        }
    }

    /// A word for metrics.
    package var word: String {
        switch self {
        case .outside(.timedOut): "timeout"
        case .outside(.tooLarge): "too-large"
        case .outside(.certificate): "certificate"
        case .outside(.budgetSpent): "budget"
        case .outside: "unreachable"
        case .status, .unavailable: "status"
        case .limited: "limited"
        case .refused, .key: "refused"
        case .reported: "reported"
        case .malformed: "malformed"
        }
    }

    /// The pause that the provider requests.
    package var retryAfter: TimeSpan? {
        switch self {
        case .limited(let span), .unavailable(let span): span
        case .outside, .status, .refused, .key, .reported, .malformed: nil
        }
    }
}

extension HTTPFetching {
    /// The reply to a request if it is a success or `304 Not Modified`.
    func reply(to request: OutsideRequest) async throws(WeatherFailure) -> OutsideReply {
        let reply: OutsideReply
        do {
            reply = try await fetch(request)
        } catch {
            throw .outside(error)
        }
        switch reply.status {
        case 200, 203: return reply
        // Only a conditional request may get this answer.
        case 304 where request.modifiedSince != nil: return reply
        case 401, 403: throw .refused
        case 429: throw .limited(retryAfter: reply.retryAfter)
        case 503: throw .unavailable(retryAfter: reply.retryAfter)
        default: throw .status(reply.status)
        }
    }
}

extension OutsideReply {
    /// `true` if nothing has changed since the known reply.
    var isUnchanged: Bool { status == 304 }

    /// The answer for unchanged data.
    func unchanged<Hour>(since modified: String?) -> ProviderAnswer<Hour> {
        ProviderAnswer(content: .unchanged, modified: lastModified ?? modified, freshFor: freshFor)
    }

    /// The answer with these hours.
    func answer<Hour>(_ hours: [Hour]) throws(WeatherFailure) -> ProviderAnswer<Hour> {
        guard !hours.isEmpty else { throw .malformed }
        return ProviderAnswer(content: .hours(hours), modified: lastModified, freshFor: freshFor)
    }
}
