/// What a command has to tell, before it is known to whom.
struct Report: Sendable {
    /// For people, without a line end after the last line; empty when there is nothing to tell.
    let text: @Sendable (Style) -> String
    /// For machines.
    let document: Document
    /// For machines, one for each thing found; nil when the document is one thing.
    let items: [Document]?
    /// What the program ends with.
    let status: ExitStatus

    /// A report.
    init(
        _ document: Document,
        items: [Document]? = nil,
        status: ExitStatus = .done,
        text: @escaping @Sendable (Style) -> String
    ) {
        self.document = document
        self.items = items
        self.status = status
        self.text = text
    }
}
