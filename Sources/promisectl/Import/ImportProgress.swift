import PromisedCommandLine

/// Shows the progress of an import on a terminal; nothing if standard output is not a terminal or is for machines.
struct ImportProgress: Sendable {
    private let console: any Console
    private let isShown: Bool
    private var line = ProgressLine()

    init(on console: any Console, for output: OutputOptions) {
        self.console = console
        isShown = console.canRedraw && !output.isForMachines
    }

    /// Shows the rows so far.
    ///
    /// - Parameter share: the fraction of the file, 0…1; nil if unknown.
    mutating func show(rows: Int, share: Double?) {
        guard isShown, let text = line.update(rows: rows, share: share) else { return }
        console.write(text)
    }

    mutating func end() {
        guard let text = line.end() else { return }
        console.write(text)
    }
}
