import ArgumentParser

/// How an answer is told.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON document.")
    var json = false

    @Flag(help: "Print JSON, one line for each thing found.")
    var jsonl = false

    func validate() throws {
        guard !(json && jsonl) else { throw ValidationError("Use --json or --jsonl, not both.") }
    }

    /// Whether machines read the answer.
    var isForMachines: Bool { json || jsonl }

    /// Writes an answer to standard output.
    func tell(_ report: Report, on console: any Console) throws(Failure) {
        if json { return console.write(try report.document.json() + "\n") }
        guard jsonl else {
            let text = report.text(console.style)
            // By bytes: "\r\n" is one character, and a document may end its lines so.
            return text.isEmpty ? () : console.write(text.utf8.last == 0x0A ? text : text + "\n")
        }
        for item in report.items ?? [report.document] { console.write(try item.json() + "\n") }
    }
}
