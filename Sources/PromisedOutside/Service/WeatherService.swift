package import Logging
package import Metrics
import PromisedConcurrency
package import PromisedDomain
package import PromisedPlaces

/// Answers requests for weather from records, and fetches records as ``WeatherRefresh`` decides.
///
/// Each record has at most one fetch at a time. Fetches run only while ``run()`` does.
package actor WeatherService {
    /// The configuration.
    package struct Settings: Sendable {
        /// The age beyond which a record is fetched again (`weather.refresh`).
        package var refresh = TimeSpan.hours(3)
        /// The maximum number of requests a day (`weather.daily-requests`).
        package var dailyRequests = 1_000
        /// How long a caller waits for fetches.
        package var patience = TimeSpan.seconds(2)
        /// The maximum number of concurrent fetches.
        package var atOnce = 4
        /// The maximum number of fetches under way or waiting.
        package var longestQueue = 256

        /// The defaults.
        package init() {}
    }

    /// A decision and the record behind it.
    private struct Look {
        let record: WeatherRecord?
        let decision: WeatherRefresh.Decision
    }

    /// A request, and the deadline of its caller.
    private struct Question {
        let instant: Instant
        let purpose: WeatherBudget.Purpose
        /// The account whose share of the budget a fetch uses; nil for an operator.
        let payer: WeatherPayer?
        /// The age beyond which a record is fetched again.
        var refresh: TimeSpan
        let end: Instant
        var waits = true
    }

    private let settings: Settings
    private let surroundings: WeatherSurroundings
    private let metrics: WeatherMetrics
    private let logger: Logger
    private var healths: WeatherHealths
    private var flights = WeatherFlights()
    private var shares = WeatherShares()
    private let jobs: AsyncStream<WeatherJob>
    private let queue: AsyncStream<WeatherJob>.Continuation

    /// Creates a service.
    ///
    /// - Parameter random: the source of the jitter of pauses after failures.
    package init(
        _ surroundings: WeatherSurroundings,
        settings: Settings = Settings(),
        random: RandomSource,
        metrics: any MetricsFactory,
        logger: Logger
    ) {
        self.settings = settings
        self.surroundings = surroundings
        self.metrics = WeatherMetrics(metrics)
        self.logger = logger
        healths = WeatherHealths(random: random, logger: logger)
        (jobs, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(settings.longestQueue))
    }

    /// Fetches records until the task is cancelled. Call it once.
    package func run() async {
        await jobs.forEach(atOnce: settings.atOnce) { job in await self.perform(job) }
    }

    // MARK: - Questions

    /// The weather at a place and an instant. Waits for fetches at most ``Settings/patience``; answers at once if a
    /// record is fresh.
    ///
    /// - Parameters:
    ///   - payer: the account whose share of the budget a fetch uses; nil for none.
    ///   - waits: `false` to answer at once from the known records; fetches still begin.
    package func outlook(
        at point: Coordinate,
        instant: Instant,
        purpose: WeatherBudget.Purpose,
        payer: WeatherPayer? = nil,
        waits: Bool = true
    ) async -> WeatherOutlook {
        var question = question(instant, purpose, payer, settings.refresh)
        question.waits = waits
        let outlook = await answer(question, at: point)
        metrics.answered(outlook.state)
        return outlook
    }

    /// Fetches the record of a promise's cell if necessary, without waiting for it. If a provider turns out not to know
    /// the cell, the next one is queried.
    ///
    /// - Parameter owner: the owner of the promise, whose share of the budget the fetch uses; nil for none.
    package func prefetch(at point: Coordinate, meetingAt meetingTime: Instant, owner: UserID? = nil) async {
        let purpose = WeatherBudget.Purpose(ofPromiseAt: meetingTime, now: surroundings.clock.now())
        let ahead = WeatherJob.Ahead(point: point, meetingTime: meetingTime)
        for (provider, key) in surroundings.candidates(at: point) {
            let question = question(meetingTime, purpose, owner.map { .owner($0) }, settings.refresh)
            let look = await look(at: key, question)
            if look.decision.step == .fetch { begin(job(provider, key, look, question, ahead: ahead)) }
            if look.decision.step != .skip { return }
        }
    }

    /// Fetches the record of a place even if it is fresh, and waits for it like ``outlook(at:instant:purpose:)``. The
    /// provider's `Expires`, the budget and pauses after failures still apply.
    package func refresh(at point: Coordinate) async -> WeatherOutlook {
        let now = surroundings.clock.now()
        _ = await answer(question(now, .ordinary, nil, .milliseconds(-1)), at: point)
        return await answer(question(now, .ordinary, nil, settings.refresh), at: point)
    }

    /// The recent answers of the providers, and the budget.
    package func status() async throws(WeatherArchiveError) -> WeatherStatus {
        let now = surroundings.clock.now()
        let spent = try await surroundings.archive.requestsSpent(on: WeatherBudget.day(of: now))
        let forecasts = surroundings.providers.map { WeatherPart.forecast($0.source) }
        return WeatherStatus(
            providers: (forecasts + (surroundings.air == nil ? [] : [.air])).map { part in
                .init(part: part, failures: healths[part].failures, standing: healths[part].standing(at: now))
            },
            budget: WeatherBudget(daily: settings.dailyRequests, spent: spent),
            fetches: flights.count
        )
    }

    /// Reloads keys and allows providers that refused to be queried again: the configuration was reloaded.
    package func reload() {
        for provider in surroundings.providers { provider.reload() }
        surroundings.air?.reload()
        healths.forgetRefusals(at: surroundings.clock.now())
    }

    // MARK: - Answers

    private func question(
        _ instant: Instant,
        _ purpose: WeatherBudget.Purpose,
        _ payer: WeatherPayer?,
        _ refresh: TimeSpan
    ) -> Question {
        Question(
            instant: instant,
            purpose: purpose,
            payer: payer,
            refresh: refresh,
            end: surroundings.clock.now() + settings.patience
        )
    }

    private func answer(_ question: Question, at point: Coordinate) async -> WeatherOutlook {
        guard !surroundings.providers.isEmpty else { return WeatherOutlook(without: .off) }
        var fallback = WeatherOutlook(without: .beyond)
        for (provider, key) in surroundings.candidates(at: point) {
            var look = await look(at: key, question)
            metrics.looked(found: !look.decision.step.isAsking)
            if look.decision.step == .fetch { begin(job(provider, key, look, question)) }
            if question.waits, look.decision.step.isAsking, look.decision.state != .ready {
                await end(of: key, question)
                var again = question
                again.refresh = settings.refresh
                look = await self.look(at: key, again)
            }
            let outlook = WeatherOutlook(settled(look, key), from: look.record, at: question.instant)
            // If the other providers have no weather either, the first failure is the answer.
            guard look.decision.step == .skip else { return outlook.report == nil ? fallback.or(outlook) : outlook }
            fallback = fallback.or(outlook)
        }
        return fallback
    }

    /// The state of an answer. A fetch that is needed but not under way could not be queued.
    private func settled(_ look: Look, _ key: WeatherKey) -> WeatherState {
        guard look.decision.state == .pending, !flights.isUnderway(key) else { return look.decision.state }
        return .unavailable
    }

    private func look(at key: WeatherKey, _ question: Question) async -> Look {
        let archive = surroundings.archive
        let now = surroundings.clock.now()
        do {
            let wasUnderway = flights.isUnderway(key)
            var record = try await archive.record(of: key)
            var refresh = WeatherRefresh(
                source: key.source,
                record: record,
                now: now,
                refresh: question.refresh,
                requestsLeft: 1
            )
            if refresh.isDue, key.source != .recorded {
                let spent = try await archive.requestsSpent(on: WeatherBudget.day(of: now))
                let budget = WeatherBudget(daily: settings.dailyRequests, spent: spent)
                metrics.left(of: budget)
                refresh.requestsLeft = budget.left(for: question.purpose)
            }
            if wasUnderway, !flights.isUnderway(key) {
                // The fetch has ended since the record was read, and may have used the last request.
                record = try await archive.record(of: key)
                refresh.record = record
            }
            // No suspension from here to the caller's next step: no fetch begins or ends in between.
            refresh.standing = healths.standing(of: surroundings.parts(of: key.source), at: now)
            refresh.isUnderway = flights.isUnderway(key)
            if key.source != .recorded {
                refresh.requestsLeft = min(refresh.requestsLeft, share(of: question, at: now))
            }
            return Look(record: record, decision: refresh.decision(at: question.instant))
        } catch {
            logger.warning("Cannot read the weather's records", metadata: ["reason": "\(error.reason)"])
            return Look(record: nil, decision: .init(step: .serve, state: .unavailable))
        }
    }

    // MARK: - Fetches

    /// The remaining requests in the share of a request's account.
    private func share(of question: Question, at now: Instant) -> Int {
        let budget = WeatherBudget(daily: settings.dailyRequests, spent: 0)
        return shares.left(of: question.payer, for: question.purpose, in: budget, on: WeatherBudget.day(of: now))
    }

    private func job(
        _ provider: any WeatherProvider,
        _ key: WeatherKey,
        _ look: Look,
        _ question: Question,
        ahead: WeatherJob.Ahead? = nil
    ) -> WeatherJob {
        WeatherJob(
            provider: provider,
            key: key,
            old: look.record,
            purpose: question.purpose,
            payer: question.payer,
            ahead: ahead
        )
    }

    private func begin(_ job: WeatherJob) {
        guard flights.count < settings.longestQueue, flights.begin(job.key) else { return }
        guard case .enqueued = queue.yield(job) else { return flights.finish(job.key) }
        // Counted before they are sent: the queue's requests are already included in the share.
        spend(expectedRequests(of: job), of: job)
    }

    /// One per part; none for recorded weather.
    private func expectedRequests(of job: WeatherJob) -> Int {
        job.key.source == .recorded ? 0 : surroundings.parts(of: job.key.source).count
    }

    private func spend(_ requests: Int, of job: WeatherJob) {
        let day = WeatherBudget.day(of: surroundings.clock.now())
        shares.spend(requests, of: job.payer, for: job.purpose, on: day)
    }

    /// Waits until a fetch has ended, up to the caller's deadline.
    private func end(of key: WeatherKey, _ question: Question) async {
        let end = flights.end(of: key)
        let clock = surroundings.clock
        let patience = max(.zero, question.end - clock.now())
        let (first, done) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in end {}
                done.finish()
            }
            group.addTask {
                // Cancelled when the fetch ends first.
                try? await clock.pause(patience)
                done.finish()
            }
            for await _ in first {}
            group.cancelAll()
        }
    }

    private func perform(_ job: WeatherJob) async {
        var result = WeatherJob.Result()
        do {
            result = try await job.run(in: surroundings, dailyRequests: settings.dailyRequests, metrics: metrics)
        } catch {
            logger.warning("Cannot keep the weather's records", metadata: ["reason": "\(error.reason)"])
        }
        if let failure = result.failure {
            healths.note(failure, at: surroundings.clock.now())
        } else if result.isOwn {
            healths.noteSuccess(of: surroundings.parts(of: job.key.source))
        }
        // Counts further requests, if some parts took more than one.
        if job.key.source != .recorded { spend(max(0, result.requests - expectedRequests(of: job)), of: job) }
        flights.finish(job.key)
        let update = WeatherUpdate(key: job.key, before: job.old, after: result.new ?? job.old)
        surroundings.audience.ended(update)
        // The record now shows that the provider does not know the cell, so the provider is skipped.
        if let ahead = job.ahead, result.new?.isEmpty == true {
            await prefetch(at: ahead.point, meetingAt: ahead.meetingTime, owner: job.payer?.account)
        }
    }
}

extension WeatherOutlook {
    /// This outlook if it contains weather, or if it is the first attempt; otherwise the other.
    fileprivate func or(_ other: WeatherOutlook) -> WeatherOutlook {
        report == nil && (state == .beyond || other.report != nil) ? other : self
    }
}

extension WeatherRefresh.Step {
    /// `true` if a provider is or will be queried.
    fileprivate var isAsking: Bool {
        switch self {
        case .fetch, .wait: true
        case .serve, .skip: false
        }
    }
}
