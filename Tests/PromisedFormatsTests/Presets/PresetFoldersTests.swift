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

    @Test func `finds the presets of the working copy that a program was built in, from any folder`() throws {
        defer {
            // A temporary folder: the system removes it if this fails.
            try? FileManager.default.removeItem(at: folder)
        }
        let presets = folder.appending(path: "config/places")
        let program = folder.appending(path: ".build/debug/promisectl")
        let yaml = Data("source: {name: copy}\nfields: {name: a}".utf8)
        try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
        try yaml.write(to: presets.appending(path: "only-here.yaml"))
        // Without the example it is any folder of that name.
        #expect(throws: FormatError.self) {
            try PresetFolders.usual(ofExecutableAt: program.path).preset(named: "only-here")
        }
        try yaml.write(to: presets.appending(path: "example.yaml"))
        let found = try PresetFolders.usual(ofExecutableAt: program.path).preset(named: "only-here")
        #expect(found.source.name == "copy")
        #expect(throws: FormatError.self) { try PresetFolders.usual(ofExecutableAt: nil).preset(named: "only-here") }
        #expect(throws: FormatError.self) { try PresetFolders.usual(ofExecutableAt: "/").preset(named: "only-here") }
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
