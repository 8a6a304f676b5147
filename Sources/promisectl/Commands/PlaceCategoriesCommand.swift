import ArgumentParser
import PromisedFormats
import PromisedPlaces

struct PlaceCategoriesCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "categories",
        abstract: "List the categories that places may have.",
        discussion: """
            Asks no server: lists the built-in categories and, with --file, those of the file that the server's setting \
            places.categories names; a file that the server would not accept exits with 2. Example: promisectl place \
            categories --file /etc/promised/categories.yaml
            """
    )

    @Option(
        help: ArgumentHelp("A file of further categories (YAML).", valueName: "file"),
        completion: .file(extensions: ["yaml"])
    )
    var file: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        try output.tell(.categories(try table()), on: context.console)
        return .done
    }

    private func table() throws(Failure) -> CategoryTable {
        guard let file else { return .builtIn }
        do throws(FormatError) {
            return try CategoryFile.table(atPath: file)
        } catch {
            throw Failure(error.inFile(at: file))
        }
    }
}
