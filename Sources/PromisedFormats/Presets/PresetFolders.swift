internal import Foundation

/// The folders in which presets are found by name.
package struct PresetFolders: Sendable {
    private let paths: [String]

    /// The folders of the given paths, searched in this order.
    package init(_ paths: [String]) { self.paths = paths }

    /// `config/places` of the current folder, for a working copy of the repository; then the folders of an installation:
    /// `../share/promised/places` relative to the executable, `/usr/share/promised/places`.
    package static var usual: PresetFolders {
        let executable = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path
        let beside = executable.map { [$0 + "/../share/promised/places"] } ?? []
        return PresetFolders(["config/places"] + beside + ["/usr/share/promised/places"])
    }

    /// The preset of a name such as `markets-kr`, or of a path: a text with a slash or the ending `.yaml`. Blocks while
    /// reading a small file.
    ///
    /// - Throws: ``FormatError/badOption(reason:)`` listing the known names, or ``FormatError/inFile(path:reason:)``.
    package func preset(named name: String) throws(FormatError) -> ImportPreset {
        let isPath = name.contains("/") || name.hasSuffix(".yaml")
        if isPath { return try Self.read(name) }
        for path in paths.map({ "\($0)/\(name).yaml" }) where FileManager.default.fileExists(atPath: path) {
            return try Self.read(path)
        }
        let known = names.isEmpty ? "" : ", or one of \(names.joined(separator: ", "))"
        throw .badOption(reason: "there is no preset \(name): use the path of a YAML file\(known)")
    }

    private static func read(_ path: String) throws(FormatError) -> ImportPreset {
        do throws(FormatError) {
            let yaml = try TextFile.text(
                atPath: path,
                as: "a preset in YAML",
                orAs: [.json],
                advice: "name another file"
            )
            return try ImportPreset(yaml: yaml)
        } catch {
            throw error.inFile(at: path)
        }
    }

    /// The names of all presets, ascending; without the documented example.
    private var names: [String] {
        let files = paths.flatMap { path in
            // A missing folder has no presets.
            (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        }
        let names = files.filter { $0.hasSuffix(".yaml") && $0 != "example.yaml" }.map { String($0.dropLast(5)) }
        return Set(names).sorted()
    }
}
