import ArgumentParser

/// What cannot be taken back is asked about.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Do not ask before what cannot be taken back; needed where nobody can answer.")
    var yes = false

    /// Asks on a terminal, and refuses without one.
    ///
    /// - Parameter deed: what is about to happen, such as `delete the user ada`.
    func confirm(_ deed: String, in context: Context) throws(Failure) {
        guard !yes else { return }
        guard context.console.isInputTerminal else {
            throw .usage("not asked whether to \(deed): there is no terminal; use --yes")
        }
        context.console.warn("Really \(deed)? [y/N]")
        guard ["y", "yes"].contains(context.console.readLine()?.lowercased() ?? "") else {
            throw .refused("nothing was done")
        }
    }
}
