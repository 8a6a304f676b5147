package import PromisedDomain

/// A provider of forecasts. Implementations ask about cells and nothing else; one conformance suite covers them all.
package protocol WeatherProvider: Sendable {
    /// The provider's name.
    var source: WeatherSource { get }

    /// Asks for the forecast of a cell.
    ///
    /// - Parameters:
    ///   - modified: what the provider said of the age of the forecast that is known; nil if none is.
    ///   - now: the server's clock.
    ///   - fetcher: the HTTP client; every request goes through it.
    func forecast(
        of cell: WeatherCell,
        since modified: String?,
        at now: Instant,
        through fetcher: any HTTPFetching
    ) async throws(WeatherFailure) -> ProviderAnswer<ForecastHour>

    /// Forgets the key, so that it is read again.
    func reload()
}

/// A provider of forecasts of the air's quality, by the same rules.
package protocol AirProvider: Sendable {
    /// Asks for the air's quality in a cell.
    func air(
        of cell: WeatherCell,
        since modified: String?,
        at now: Instant,
        through fetcher: any HTTPFetching
    ) async throws(WeatherFailure) -> ProviderAnswer<AirHour>

    /// Forgets the key, so that it is read again.
    func reload()
}

/// A provider's answer.
package struct ProviderAnswer<Hour: Sendable>: Sendable {
    /// The answer itself.
    package enum Content: Sendable {
        /// The known hours still hold.
        case unchanged
        /// The provider has no data for the cell.
        case unknownCell
        /// Hours, ascending, each at most once; at least one.
        case hours([Hour])
    }

    /// The answer.
    package let content: Content
    /// The answer's age as the provider stated it.
    package let modified: String?
    /// How long the provider wants it to be used; nil if it did not say.
    package let freshFor: TimeSpan?
}

/// Why a provider's weather could not be had. No description holds an address, a key or a cell.
package enum WeatherFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// There was no reply.
    case outside(OutsideError)
    /// The provider answered with a status that is no success.
    case status(Int)
    /// The provider's limit is reached.
    case limited(retryAfter: TimeSpan?)
    /// The provider cannot answer now and names a time.
    case unavailable(retryAfter: TimeSpan?)
    /// The provider does not accept the key or the caller.
    case refused
    /// The key cannot be read.
    case key(ProviderKeyProblem)
    /// The provider reported an error of its own, by its code.
    case reported(String)
    /// The reply is not what the provider documents.
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

    /// How long the provider asks to be left alone.
    package var retryAfter: TimeSpan? {
        switch self {
        case .limited(let span), .unavailable(let span): span
        case .outside, .status, .refused, .key, .reported, .malformed: nil
        }
    }
}

extension HTTPFetching {
    /// The reply to a request if it is a success or says that nothing has changed.
    func reply(to request: OutsideRequest) async throws(WeatherFailure) -> OutsideReply {
        let reply: OutsideReply
        do {
            reply = try await fetch(request)
        } catch {
            throw .outside(error)
        }
        switch reply.status {
        case 200, 203: return reply
        // Only a conditional request may be answered so.
        case 304 where request.modifiedSince != nil: return reply
        case 401, 403: throw .refused
        case 429: throw .limited(retryAfter: reply.retryAfter)
        case 503: throw .unavailable(retryAfter: reply.retryAfter)
        default: throw .status(reply.status)
        }
    }
}

extension OutsideReply {
    /// `true` if nothing has changed.
    var isUnchanged: Bool { status == 304 }

    /// The answer that nothing has changed.
    func unchanged<Hour>(since modified: String?) -> ProviderAnswer<Hour> {
        ProviderAnswer(content: .unchanged, modified: lastModified ?? modified, freshFor: freshFor)
    }

    /// The answer with these hours.
    func answer<Hour>(_ hours: [Hour]) throws(WeatherFailure) -> ProviderAnswer<Hour> {
        guard !hours.isEmpty else { throw .malformed }
        return ProviderAnswer(content: .hours(hours), modified: lastModified, freshFor: freshFor)
    }
}
