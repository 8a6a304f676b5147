import PromisedClient
import PromisedProtocol

/// Examines the directory of places and the providers of weather.
struct DirectoryCheck: Sendable {
    /// The share of the day's requests above which the server sends only urgent ones, in percent.
    static let budgetTolerance = 80

    let administration: any Administration

    /// Adds a check for the places, for the index, for each weather provider and for the budget.
    func run(_ diagnosis: inout Diagnosis) async throws(Failure) {
        note(try await administration.ask(.listSources()).sources, &diagnosis)
        try await noteIndex(&diagnosis)
        note(try await administration.ask(.getWeatherStatus()), &diagnosis)
    }

    // MARK: - Places

    private func note(_ sources: [WireAdminSource], _ diagnosis: inout Diagnosis) {
        guard !sources.isEmpty else { return diagnosis.note("places", .skipped, "the directory is empty") }
        let empty = sources.filter { $0.source.count == 0 && !$0.importing }.map(\.source.name)
        guard empty.isEmpty else {
            return diagnosis.note(
                "places",
                .warning,
                "without places: \(empty.joined(separator: ", "))",
                advice: "import the source again, or remove it with: promisectl place source remove NAME"
            )
        }
        let count = sources.reduce(0) { $0 + Int($1.source.count) }
        let parts = [MeasureText.count(count, "place"), MeasureText.count(sources.count, "source")]
        let open = sources.filter(\.importing).map { "importing \($0.source.name)" }
        diagnosis.note("places", .ok, (parts + open).joined(separator: ", "))
    }

    private func noteIndex(_ diagnosis: inout Diagnosis) async throws(Failure) {
        do throws(Failure) {
            _ = try await administration.ask(.findPlaces(limit: 1))
            diagnosis.note("place-index", .ok, "the index of places answers")
        } catch {
            guard case .refused(let why) = error else { throw error }
            let advice = "wait until the index is built; if it never is, check the server's log"
            diagnosis.note("place-index", .warning, why, advice: advice)
        }
    }

    // MARK: - Weather

    private func note(_ status: WireAdminWeatherStatus, _ diagnosis: inout Diagnosis) {
        guard !status.providers.isEmpty else {
            return diagnosis.note("weather", .skipped, "weather is off: the server asks no provider")
        }
        for provider in status.providers { note(provider, &diagnosis) }
        let detail = "\(status.requestsSpent) of \(MeasureText.count(Int(status.dailyRequests), "request")) spent today"
        guard Int(status.requestsSpent) * 100 > Int(status.dailyRequests) * Self.budgetTolerance else {
            return diagnosis.note("weather-budget", .ok, detail)
        }
        diagnosis.note(
            "weather-budget",
            .warning,
            detail,
            advice: "raise weather.daily-requests if the providers allow more"
        )
    }

    private func note(_ provider: WireAdminWeatherProvider, _ diagnosis: inout Diagnosis) {
        let name = "weather-\(provider.name)"
        switch provider.state {
        case .ready: diagnosis.note(name, .ok, "the server may ask the provider")
        case .refused:
            diagnosis.note(
                name,
                .failed,
                "the provider refused the key",
                advice: "put a valid key into the provider's key file and reload the configuration"
            )
        case .backingOff, .unspecified, .UNRECOGNIZED:
            let failures = MeasureText.count(Int(provider.failures), "failure")
            let retry = provider.hasRetryAt ? ", asked again at \(MomentText.full(provider.retryAt))" : ""
            diagnosis.note(
                name,
                .warning,
                failures + retry,
                advice: "check the provider's service, and that this server's machine can reach it"
            )
        }
    }
}
