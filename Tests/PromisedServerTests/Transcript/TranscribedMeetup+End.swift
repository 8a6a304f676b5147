import PromisedDomain
import PromisedProtocol
import PromisedWire
import SwiftProtobuf

extension TranscribedMeetup {
    /// The promise ends, Cid is excused and leaves.
    mutating func end() async throws {
        transcript.chapter("The end")
        try await transcript.wait(until: .seconds(0))
        try await transcript.wait(until: .seconds(60))
        try await transcript.wait(until: .hours(3))
        try await transcript.ask(ada, .getResult(.of(promiseID)))
        let news = people.map { ($0, ["statisticsChanged"]) }
        try await transcript.wait(until: .hours(3) + .minutes(15), hearing: news)
        try await transcript.ask(bea, .getResult(.of(promiseID)))
        let explain = WireExplainArrival.with {
            $0.promiseID = promiseID
            $0.userID = id(bea)
        }
        try await transcript.ask(bea, .explainArrival(explain))
        let excuse = WireExcuse.with {
            $0.promiseID = promiseID
            $0.userID = id(cid)
            $0.reason = "Called away"
        }
        try await transcript.ask(ada, .excuse(excuse), hearing: [(cid, ["statisticsChanged"])])
        try await transcript.ask(ada, .getStatistics(.of(id(bea))))
        transcript.chapter("Going away")
        try await transcript.ask(cid, .deleteAccount(.sample("wrong horse")))
        try await transcript.ask(cid, .deleteAccount(.sample("correct horse Cid")))
        try await transcript.ask(ada, .getResult(.of(promiseID)))
        try await transcript.ask(bea, .signOut(WireSignOut()))
    }
}
