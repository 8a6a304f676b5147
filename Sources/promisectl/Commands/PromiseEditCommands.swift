import ArgumentParser
import Foundation
import PromisedClient
import PromisedCommandLine
import PromisedProtocol
import PromisedWire

struct PromiseCreateCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a promise for a user, who becomes its owner.",
        discussion: """
            Example: promisectl promise create --owner ada --title Lunch --place 52.52,13.405 --place-name Café \
            --at 'tomorrow 12:30' --invite bob --invite eve
            """
    )

    @Option(help: "The owner: an id, a nickname or an e-mail.") var owner: String
    @Option(help: "The title, 1 to 60 characters.") var title: String
    @OptionGroup var place: PlaceOptions

    @Option(
        help: ArgumentHelp("The meeting time: \(MeetingTime.forms).", valueName: "time"),
        transform: MeetingTime.parse
    )
    var at: MeetingTime

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var details: DetailOptions
    @Option(help: "The rule that detects arrivals.") var rule: RuleArgument?

    @Option(
        help: ArgumentHelp("The time after the meeting time that is still on time, such as 60s.", valueName: "span")
    )
    var grace: SpanArgument?

    @Option(help: ArgumentHelp("A friend of the owner: an id, a nickname or an e-mail; repeatable.", valueName: "user"))
    var invite: [String] = []

    @Option(help: "The creation key: repeats with it within 24 hours create nothing new; default: a random key.")
    var key: String?

    @OptionGroup var options: ServerCommandOptions

    func check(in context: Context) throws(Failure) {
        guard place.place != nil, place.placeName != nil else {
            throw .usage("a promise needs --place and --place-name")
        }
    }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let ownerID = try await administration.user(named: owner).user.userID
        var request = content
        request.meetsAt = try await zone.timestamp(of: at, from: administration)
        request.inviteeIds = try await administration.userIDs(named: invite)
        return .promise(try await administration.ask(.createPromise(ownerID: ownerID, request)))
    }

    private var content: WireCreatePromise {
        var request = WireCreatePromise()
        request.key = key ?? UUID().uuidString.lowercased()
        request.title = title
        request.place = place.changed(WirePlace())
        if let note = details.note { request.note = note }
        if let radius = details.radius { request.radiusMetres = radius }
        if let penalty = details.penalty?.penalty { request.penalty = penalty }
        if let rule { request.rule.name = rule.name }
        if let grace { request.rule.graceMs = UInt32(clamping: Int64(grace.milliseconds)) }
        return request
    }
}

struct PromiseEditCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a promise; only the given options change.",
        discussion: """
            Once the window is open, only the title and the note can change. A penalty of 0 removes the penalty, an empty \
            note the note. \
            Example: promisectl promise edit 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b --at +3h
            """
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise) var promise: String
    @Option(help: "The title, 1 to 60 characters.") var title: String?
    @OptionGroup var place: PlaceOptions

    @Option(
        help: ArgumentHelp("The meeting time: \(MeetingTime.forms).", valueName: "time"),
        transform: MeetingTime.parse
    )
    var at: MeetingTime?

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var details: DetailOptions
    @OptionGroup var options: ServerCommandOptions

    func check(in context: Context) throws(Failure) {
        guard title != nil || at != nil || place.isGiven || details.isGiven else {
            throw .usage("nothing to change: use --title, --place, --at or another option")
        }
    }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let current = try await administration.ask(.showPromise(promise)).promise
        var request = change(of: current)
        if let at { request.meetsAt = try await zone.timestamp(of: at, from: administration) }
        return .promise(try await administration.ask(.editPromise(request)))
    }

    private func change(of current: WirePromise) -> WireUpdatePromise {
        var request = WireUpdatePromise(changing: current)
        if let title { request.title = title }
        if place.isGiven { request.place = place.changed(current.place) }
        if let note = details.note { request.note = note }
        if let radius = details.radius { request.radiusMetres = radius }
        if let penalty = details.penalty?.penalty { request.penalty = penalty }
        return request
    }
}

struct PromiseCancelCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a promise.",
        discussion: "Example: promisectl promise cancel 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b --reason storm --yes"
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise) var promise: String
    @Option(help: "The reason, shown to the participants.") var reason = ""
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let found = try await administration.ask(.showPromise(promise)).promise
        try options.confirmation.confirm("cancel the promise \(found.title.printable)", in: context)
        return .promise(try await administration.ask(.cancelPromise(promise, reason: reason)))
    }
}
