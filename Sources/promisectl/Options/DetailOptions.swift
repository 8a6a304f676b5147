import ArgumentParser

/// What a promise may have besides title, place and time.
struct DetailOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How near counts as there: 20 to 500 metres.", valueName: "metres"))
    var radius: Int32?

    @Option(help: ArgumentHelp("What being late costs, in minor units: 500,EUR.", valueName: "amount,currency"))
    var penalty: PenaltyArgument?

    @Option(help: "At most 500 characters.")
    var note: String?

    /// Whether any of them was given.
    var isGiven: Bool { radius != nil || penalty != nil || note != nil }
}
