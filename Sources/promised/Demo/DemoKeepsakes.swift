import PromisedClient
import PromisedProtocol

/// The mementos of the evening: two friends write memos to their visits, and one saves the way there as a course.
struct DemoKeepsakes: Sendable {
    /// The memos of the walker and the cyclist, in the order of ``DemoCast/Part``.
    private static let memos = [
        "Early for once: the table by the window is ours.", "Headwind all the way, and still on time.",
    ]

    /// The id of the meetup, whose result is final.
    let promiseID: String
    let screen: Screen

    /// Writes the memos and saves the course. Throws `ClientError`.
    func leave(by phones: [Phone]) async throws {
        for (phone, memo) in zip(phones, Self.memos) { try await write(memo, by: phone) }
        if let cyclist = phones.dropFirst().first { try await keepWay(of: cyclist) }
    }

    /// Writes a memo, visible to all who were there, to the visit created from the result.
    private func write(_ memo: String, by phone: Phone) async throws {
        let visits = try await phone.client.listVisits(WireListVisits()).visits
        guard let visit = visits.first(where: { $0.promiseID == promiseID }) else { return }
        var change = WireUpdateVisit()
        change.visitID = visit.visitID
        change.version = visit.version
        change.memo = memo
        change.audience = .companions
        _ = try await phone.client.updateVisit(change)
        screen.say("\(phone.person.nickname) was there, and notes: \(memo)")
    }

    private func keepWay(of phone: Phone) async throws {
        // Each user has one way per promise, so the promise's id serves as the key.
        let course = try await phone.client.saveCourse(key: promiseID, promiseID: promiseID, title: "Ride to dinner")
        let metres = Int(course.statistics.distanceMetres.rounded())
        screen.say("\(phone.person.nickname) keeps the way there as a course of \(metres) m")
    }
}
