import ArgumentParser
import PromisedClient
import PromisedProtocol
import PromisedWire

/// `promisectl promise edit`.
struct PromiseEditCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a promise; what is not given stays.",
        discussion: """
            After the window opened only the title and the note can change. A penalty of 0 removes it, an empty note too. \
            Example: promisectl promise edit 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b --at +3h
            """
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise)
    var promise: String

    @Option(help: "1 to 60 characters.")
    var title: String?

    @OptionGroup var place: PlaceOptions

    @Option(help: ArgumentHelp("When: \(MeetingTime.forms).", valueName: "time"), transform: MeetingTime.parse)
    var at: MeetingTime?

    @OptionGroup var zone: ZoneOptions

    @OptionGroup var details: DetailOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func check(in context: Context) throws(Failure) {
        guard title != nil || at != nil || place.isGiven || details.isGiven else {
            throw .usage("there is nothing to change: give --title, --place, --at or another option")
        }
    }

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
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
