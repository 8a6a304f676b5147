import PromisedProtocol

/// The positions of a promise that are still kept, ready to be written.
struct TrackExport: Sendable {
    /// What one device of one user reported.
    struct Track: Sendable {
        var userID: String
        /// The id where the name is not known any more.
        var nickname: String
        /// From 1 for each user.
        var device: UInt32
        /// Ascending by time.
        var positions: [WireAdminPosition]
    }

    /// The promise.
    let promise: WirePromise
    /// By user and device.
    let tracks: [Track]

    /// The tracks of positions that come by user, device and time.
    init(promise: WirePromise, positions: [WireAdminPosition]) {
        let cards = promise.participants.map { ($0.user.userID, $0.user.nickname) }
        let names = Dictionary(cards) { first, _ in first }
        var tracks: [Track] = []
        for position in positions {
            if let last = tracks.last, last.userID == position.userID, last.device == position.device {
                tracks[tracks.count - 1].positions.append(position)
            } else {
                tracks.append(
                    Track(
                        userID: position.userID,
                        nickname: names[position.userID] ?? position.userID,
                        device: position.device,
                        positions: [position]
                    )
                )
            }
        }
        self.promise = promise
        self.tracks = tracks
    }
}
