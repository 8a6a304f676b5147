internal import Foundation

/// The folders in which presets are found by name.
package struct PresetFolders: Sendable {
    private let paths: [String]

    /// The folders of the given paths, searched in this order.
    package init(_ paths: [String]) { self.paths = paths }

    /// `config/places` of the current folder; then the folders of an installation, `../share/promised/places` relative to
    /// the executable and `/usr/share/promised/places`; then `config/places` of the working copy that the executable was
    /// built in.
    package static var usual: PresetFolders {
        usual(ofExecutableAt: Bundle.main.executableURL?.resolvingSymlinksInPath().path)
    }

    /// The usual folders of a program at a path; nil if the path is unknown.
    static func usual(ofExecutableAt path: String?) -> PresetFolders {
        var folders = ["config/places", "/usr/share/promised/places"]
        guard let path else { return PresetFolders(folders) }
        var folder = URL(filePath: path).deletingLastPathComponent()
        folders.insert(folder.path + "/../share/promised/places", at: 1)
        while folder.path != "/", folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            let presets = folder.appending(path: "config/places").path
            // Only a folder with the documented example is one of presets.
            guard FileManager.default.fileExists(atPath: presets + "/example.yaml") else { continue }
            folders.append(presets)
            break
        }
        return PresetFolders(folders)
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
