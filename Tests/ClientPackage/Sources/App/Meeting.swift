import Foundation
import PromisedClient
import PromisedProtocol

/// The smallest app: a user signs up, creates a promise and follows it.
public actor Meeting {
    private let client: PromisedClient
    /// The number of returns to this actor after a call of the client.
    public private(set) var returns = 0

    /// A meeting of this client's user.
    public init(client: PromisedClient) {
        self.client = client
    }

    /// Signs up and makes a promise.
    ///
    /// - Returns: the title that the feed's first notice shows.
    public func begin(email: String, nickname: String, at date: Date) async throws -> String {
        _ = try await client.signUp(email: email, password: "correct horse battery", nickname: nickname)
        noteReturn()
        var request = WireCreatePromise()
        request.key = nickname
        request.title = "Coffee"
        request.place.name = "Café at the market"
        request.place.latitude = 52.5219
        request.place.longitude = 13.4132
        request.meetsAt = WireTimestamp(date)
        let id = try await client.createPromise(request).promise.promiseID
        noteReturn()
        var feed = await client.follow(id).makeAsyncIterator()
        noteReturn()
        guard case .snapshot(let promise, _)? = try await feed.next(isolation: #isolation) else { return "" }
        noteReturn()
        return promise.title
    }

    /// Records a position, and waits until it waits no longer.
    public func report(with reporter: PositionReporter) async {
        var fix = WireFix()
        fix.latitude = 52.5219
        fix.longitude = 13.4132
        fix.accuracyMetres = 8
        await reporter.record(fix, measuredAt: Date())
        noteReturn()
        for await notice in reporter.notices {
            noteReturn()
            if case .reported = notice { return }
        }
    }

    /// Stops the process if it is called outside the actor (HowFramesLeave.md).
    @inline(never)
    private func noteReturn() {
        preconditionIsolated()
        returns += 1
    }
}
