import PromisedProtocol

/// The protocol's values about courses and files in words; an unknown value is `unknown`.
extension WireActivity.Value {
    var word: String {
        switch self {
        case .walk: "walk"
        case .run: "run"
        case .ride: "ride"
        case .drive: "drive"
        case .other: "other"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}

extension WireFileKind.Value {
    var word: String {
        switch self {
        case .photo: "photos"
        case .track: "tracks"
        case .export: "exports"
        case .picture: "pictures"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}

extension WireRecordingState.Value {
    var word: String {
        switch self {
        case .recording: "recording"
        case .interrupted: "interrupted"
        case .finished: "finished"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}

extension WireCourseSource.Value {
    var word: String {
        switch self {
        case .promise: "from promises"
        case .recording: "recorded"
        case .file: "from files"
        case .copy: "copied"
        case .operator: "recommended"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}
