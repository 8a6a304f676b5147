import ArgumentParser
import Foundation
import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import promisectl

@Suite("A meeting time")
struct MeetingTimeTests {
    /// The instant that a text denotes at an instant of the server's clock.
    private static func instant(_ text: String, at now: String, in zone: String) throws -> String {
        let zone = try #require(TimeZone(identifier: zone))
        let nowMs = try WireTimestamp.sample(now).readingMs
        return try MeetingTime.parse(text).timestamp(nowMs: nowMs, zone: zone).jsonString().replacing("\"", with: "")
    }

    struct Row: CustomTestStringConvertible {
        let text: String
        let instant: String
        var now = "2026-11-24T10:00:00Z"
        var zone = "UTC"
        var testDescription: String { "\(text) at \(now) in \(zone)" }
    }

    @Test(arguments: [
        // An instant does not depend on the zone.
        Row(text: "2026-11-21T18:00:00Z", instant: "2026-11-21T18:00:00Z"),
        Row(text: "2026-11-21T18:00:00.5+01:00", instant: "2026-11-21T17:00:00.500Z", zone: "Asia/Seoul"),
        // From now on.
        Row(text: "+2h", instant: "2026-11-24T12:00:00Z"), Row(text: "+90m", instant: "2026-11-24T11:30:00Z"),
        Row(text: "+1d12h", instant: "2026-11-25T22:00:00Z"), Row(text: "+1h30m", instant: "2026-11-24T11:30:00Z"),
        Row(text: "+45s", instant: "2026-11-24T10:00:45Z"), Row(text: "+0s", instant: "2026-11-24T10:00:00Z"),
        Row(text: "+2h", instant: "2028-02-29T01:30:00.250Z", now: "2028-02-28T23:30:00.250Z", zone: "Asia/Seoul"),
        // A day has 24 hours here, and is not the next day's same time.
        Row(text: "+1d", instant: "2027-03-28T12:00:00Z", now: "2027-03-27T12:00:00Z", zone: "Europe/Berlin"),
        // In a zone: its date may differ from that in UTC.
        Row(text: "today 19:00", instant: "2026-11-24T19:00:00Z"),
        Row(text: "tomorrow 19:00", instant: "2026-11-25T10:00:00Z", zone: "Asia/Seoul"),
        Row(text: "Tomorrow 19:00", instant: "2026-11-26T10:00:00Z", now: "2026-11-24T15:00:00Z", zone: "Asia/Seoul"),
        Row(text: "today 00:00", instant: "2026-11-24T15:00:00Z", now: "2026-11-24T15:00:00Z", zone: "Asia/Seoul"),
        Row(text: "tomorrow 00:30", instant: "2027-01-01T00:30:00Z", now: "2026-12-31T23:59:59Z"),
        Row(text: "tomorrow 12:00", instant: "2028-02-29T12:00:00Z", now: "2028-02-28T12:00:00Z"),
        Row(text: "tomorrow 12:00", instant: "2027-03-01T12:00:00Z", now: "2027-02-28T12:00:00Z"),
        Row(text: "2026-12-24 18:00", instant: "2026-12-24T17:00:00Z", zone: "Europe/Berlin"),
        Row(text: "2028-02-29 18:00", instant: "2028-02-29T18:00:00Z"),
        // Around both clock changes.
        Row(
            text: "tomorrow 19:00",
            instant: "2027-03-28T17:00:00Z",
            now: "2027-03-27T20:00:00Z",
            zone: "Europe/Berlin"
        ),
        Row(
            text: "tomorrow 01:59",
            instant: "2027-03-28T00:59:00Z",
            now: "2027-03-27T20:00:00Z",
            zone: "Europe/Berlin"
        ),
        Row(
            text: "tomorrow 03:00",
            instant: "2027-03-28T01:00:00Z",
            now: "2027-03-27T20:00:00Z",
            zone: "Europe/Berlin"
        ),
        Row(
            text: "tomorrow 01:59",
            instant: "2027-10-30T23:59:00Z",
            now: "2027-10-30T20:00:00Z",
            zone: "Europe/Berlin"
        ),
        Row(
            text: "tomorrow 03:00",
            instant: "2027-10-31T02:00:00Z",
            now: "2027-10-30T20:00:00Z",
            zone: "Europe/Berlin"
        ),
        // The 24th is a Tuesday; the name of the current day means today while the time is ahead.
        Row(text: "tuesday 10:01", instant: "2026-11-24T10:01:00Z"),
        Row(text: "tuesday 10:00", instant: "2026-12-01T10:00:00Z"),
        Row(text: "friday 19:00", instant: "2026-11-27T19:00:00Z"),
        Row(text: "monday 09:00", instant: "2026-11-30T09:00:00Z"),
        Row(text: "sunday 12:00", instant: "2026-11-29T12:00:00Z"),
    ])
    func `is an instant of the server's clock`(row: Row) throws {
        #expect(try Self.instant(row.text, at: row.now, in: row.zone) == row.instant)
    }

    @Test(arguments: [
        "", "soon", "+", "+2", "+h", "+2x", "+2h2h", "+30m2h", "+-2h", "+1.5h", "2h", "-2h", "+99999999999d",
        "tomorrow",
        "19:00", "tomorrow 7pm", "tomorrow 24:00", "tomorrow 19:60", "tomorrow 9:00", "tomorrow 19:00:00",
        "tomorrow  19", "someday 19:00", "2026-11-21", "2026-11-21T18:00:00", "2026-1-21 18:00", "26-11-21 18:00",
        "2026-11-21 18:00 UTC", "\"", "tomorrow 1٩:00",
    ])
    func `that is invalid explains the form`(text: String) {
        let error = #expect(throws: ValidationError.self) { try MeetingTime.parse(text) }
        #expect(error?.message == "\(text) is not a time. Use \(MeetingTime.forms).")
    }

    @Test(arguments: [
        ("tomorrow 02:30", "2027-03-27T20:00:00Z", "2027-03-28 02:30 does not exist in Europe/Berlin: clocks skip it"),
        (
            "2027-03-28 02:00", "2027-03-27T20:00:00Z",
            "2027-03-28 02:00 does not exist in Europe/Berlin: clocks skip it"
        ),
        (
            "tomorrow 02:00", "2027-10-30T20:00:00Z",
            "2027-10-31 02:00 occurs twice in Europe/Berlin: give the time with its offset from UTC"
        ),
        (
            "today 02:59", "2027-10-31T10:00:00Z",
            "2027-10-31 02:59 occurs twice in Europe/Berlin: give the time with its offset from UTC"
        ),
        ("2027-02-29 12:00", "2026-11-24T10:00:00Z", "2027-02-29 is not a date"),
        ("2027-04-31 12:00", "2026-11-24T10:00:00Z", "2027-04-31 is not a date"),
        ("2027-13-01 12:00", "2026-11-24T10:00:00Z", "2027-13-01 is not a date"),
        ("2027-00-10 12:00", "2026-11-24T10:00:00Z", "2027-00-10 is not a date"),
    ])
    func `that clocks skip or repeat is rejected, and so is a missing day`(
        text: String,
        now: String,
        words: String
    ) {
        let error = #expect(throws: Failure.self) { try Self.instant(text, at: now, in: "Europe/Berlin") }
        #expect(error?.description.hasSuffix(words) == true, "\(error as Any)")
        #expect(error?.status == .usage)
    }

    // MARK: - On the command line

    private static let place = ["--place", "1,2", "--place-name", "Café"]

    /// The meeting time that a command sends to the server; nil without one.
    private static func meetsAt(_ arguments: [String]) async -> (at: WireTimestamp?, run: Run) {
        // 2026-11-24T10:00:00Z.
        let clock = ClockReading(serverMs: 1_795_514_400_000, ownMs: 0, tookMs: 1)
        let administration = StubAdministration(clock: clock) { request in
            switch request {
            case .findUsers(let request): .success(.users(.sample([request.name])))
            default: .success(.promise(WirePromiseReply()))
            }
        }
        let run = await Run(arguments, StubConnector(administration: administration))
        for request in administration.requests {
            if case .createPromise(let request) = request { return (request.promise.meetsAt, run) }
            if case .editPromise(let request) = request { return (request.meetsAt, run) }
        }
        return (nil, run)
    }

    @Test(arguments: [
        (["--at", "+2h"], "2026-11-24T12:00:00Z"),
        (["--at", "tomorrow 19:00", "--zone", "Asia/Seoul"], "2026-11-25T10:00:00Z"),
        (["--at", "2026-11-24T18:00:00Z", "--zone", "Asia/Seoul"], "2026-11-24T18:00:00Z"),
    ])
    func `is relative to the server's clock, in the given zone`(options: [String], instant: String) async throws {
        let expected = try WireTimestamp.sample(instant)
        let create = ["promise", "create", "--owner", "ada", "--title", "Tea"] + Self.place + options
        #expect(await Self.meetsAt(create).at == expected)
        let edit = ["promise", "edit", "01932a4e-0000-7000-8000-00000000000a"] + options
        #expect(await Self.meetsAt(edit).at == expected)
    }

    @Test(arguments: [
        (["--at", "soon"], "soon is not a time. Use +2h"),
        (["--at", "tomorrow", "19:00"], "'tomorrow 19:00', 'friday"),
        (["--at", "+2h", "--zone", "Mars/Base"], "is not a time zone"),
        (["--at", "2027-03-28 02:30", "--zone", "Europe/Berlin"], "does not exist in Europe/Berlin"),
    ])
    func `that is invalid is reported before anything is created`(options: [String], words: String) async {
        let create = ["promise", "create", "--owner", "ada", "--title", "Tea"] + Self.place + options
        let (at, run) = await Self.meetsAt(create)
        #expect(at == nil)
        #expect(run.status == .usage)
        #expect(run.errors.contains(words), "\(run.errors)")
    }
}
