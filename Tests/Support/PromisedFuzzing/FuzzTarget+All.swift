extension FuzzTarget {
    /// All targets, the cheap ones first.
    package static let all: [FuzzTarget] = [
        .assembly, .heldFixes, .fixIntake, .fixChunk, .trackChunk, .recordingChunk, .shownPiece, .outlines, .columns,
        .reportProtobuf, .reportJSON, .positions, .cursors, .settings, .openingHours, .searchText, .csv, .geoJSON,
        .places, .gpx, .jpeg, .png, .webP, .framesProtobuf, .framesJSON, .configuration, .conversation,
    ]

    /// The target of a name; nil for an unknown one.
    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
