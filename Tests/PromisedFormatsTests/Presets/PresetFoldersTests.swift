import Foundation
import Testing

@testable import PromisedFormats

@Suite struct PresetFoldersTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "presets-\(UUID())")

    /// Two folders with presets whose sources have the names of the folders.
    private func withFolders(_ body: (PresetFolders) throws -> Void) throws {
        defer {
            // A temporary folder: the system removes it if this fails.
            try? FileManager.default.removeItem(at: folder)
        }
        for (name, files) in [("first", ["shops"]), ("second", ["shops", "parks", "example"])] {
            let place = folder.appending(path: name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for file in files {
                let text = "source: {name: \(name)}\nfields: {name: a}"
                try Data(text.utf8).write(to: place.appending(path: "\(file).yaml"))
            }
        }
        try body(PresetFolders(["first", "second", "third"].map { folder.appending(path: $0).path }))
    }

    @Test func `uses the first folder with a preset of the name`() throws {
        try withFolders { folders in
            try #expect(folders.preset(named: "shops").source.name == "first")
            try #expect(folders.preset(named: "parks").source.name == "second")
        }
    }

    @Test func `finds a preset by its path`() throws {
        try withFolders { folders in
            let path = folder.appending(path: "second/shops.yaml").path
            try #expect(folders.preset(named: path).source.name == "second")
        }
    }

    @Test func `rejects an unknown name with the known ones, without the example`() throws {
        try withFolders { folders in
            let error = #expect(throws: FormatError.self) { try folders.preset(named: "cafes") }
            #expect(
                error?.description == "there is no preset cafes: use the path of a YAML file, or one of parks, shops"
            )
        }
    }

    @Test func `reports a malformed preset with its line`() throws {
        try withFolders { folders in
            let path = folder.appending(path: "broken.yaml")
            try Data("fields: {name: a}\ncolour: red".utf8).write(to: path)
            let error = #expect(throws: FormatError.self) { try folders.preset(named: path.path) }
            #expect(error?.description.contains("line 2") == true && error?.description.contains(path.path) == true)
        }
    }
}
