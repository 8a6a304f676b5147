import ArgumentParser
import PromisedProtocol

struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON document.") var json = false
    @Flag(help: "Print JSON, one line per item.") var jsonl = false

    func validate() throws {
        guard !(json && jsonl) else { throw ValidationError("Use --json or --jsonl, not both.") }
    }

    /// `true` for output that machines read.
    var isForMachines: Bool { json || jsonl }

    /// Writes a report to standard output.
    func tell(_ report: Report, on console: any Console) throws(Failure) {
        if json { return console.write(try report.document.json() + "\n") }
        guard jsonl else {
            let text = report.text(console.style)
            // By bytes, because "\r\n" is one character, and a document may end with it.
            return text.isEmpty ? () : console.write(text.utf8.last == 0x0A ? text : text + "\n")
        }
        for item in report.items ?? [report.document] { console.write(try item.json() + "\n") }
    }
}

/// The length of a list.
struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The maximum number of items; default: all.", valueName: "count")) var limit: Int?

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit must be at least 1.") }
    }
}

struct DetailOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The radius around the place: 20 to 500 metres.", valueName: "metres"))
    var radius: Int32?

    @Option(
        help: ArgumentHelp(
            "The penalty for being late, in the currency's minor units, such as 500,EUR.",
            valueName: "amount,currency"
        )
    )
    var penalty: PenaltyArgument?

    @Option(help: "The note, at most 500 characters.") var note: String?

    /// `true` if any option was specified.
    var isGiven: Bool { radius != nil || penalty != nil || note != nil }
}

/// Confirmation of irreversible commands.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Do not ask before irreversible actions; required without a terminal.") var yes = false

    /// Asks on a terminal, and refuses without one. `action` is the action to confirm, such as `delete the user ada`.
    func confirm(_ action: String, in context: Context) throws(Failure) {
        guard !yes else { return }
        guard context.console.isInputTerminal else {
            throw .usage("cannot ask whether to \(action) without a terminal: use --yes")
        }
        context.console.warn("Really \(action)? [y/N]")
        guard ["y", "yes"].contains(context.console.readLine()?.lowercased() ?? "") else {
            throw .refused("not confirmed: nothing was changed")
        }
    }
}

/// The options of all subcommands that connect to a server. All of them accept `--yes`, so that a script can always
/// pass it.
struct ServerCommandOptions: ParsableArguments {
    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions
}

/// A password from the command line or from standard input.
struct PasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The password; other users of this machine may see it in the list of processes.",
            valueName: "password"
        )
    )
    var password: String?

    @Flag(help: "Read the password from standard input (one line).") var passwordStdin = false

    func validate() throws {
        guard password == nil || !passwordStdin else {
            throw ValidationError("Use --password or --password-stdin, not both.")
        }
    }

    /// nil if no password was specified.
    func password(in context: Context) throws(Failure) -> String? {
        guard passwordStdin else { return password }
        guard let line = context.console.readLine(), !line.isEmpty else {
            throw .usage("standard input has no password: write it on one line")
        }
        return line
    }
}

struct PlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The place's latitude and longitude in degrees.", valueName: "lat,lon"),
        transform: CoordinateArgument.parse
    )
    var place: CoordinateArgument?

    @Option(help: ArgumentHelp("The place's name.", valueName: "name")) var placeName: String?
    @Option(help: "The place's address.") var address: String?

    /// `true` if any option was specified.
    var isGiven: Bool { place != nil || placeName != nil || address != nil }

    func changed(_ old: WirePlace) -> WirePlace {
        var new = old
        if let place {
            new.latitude = place.latitude
            new.longitude = place.longitude
        }
        if let placeName { new.name = placeName }
        if let address { new.address = address }
        return new
    }
}
