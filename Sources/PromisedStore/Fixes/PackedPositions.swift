internal import PromisedDomain

/// The stored positions of the first few users of a promise, by id, still packed: as many users as there is room for.
///
/// A page of positions comes from few users, but positions are stored in order of receipt. Reading all chunks once and
/// keeping only these bytes takes little memory, and no fix is unpacked for users that are not on the page.
struct PackedPositions {
    /// The first user that is left out for lack of room, and so are all after; nil if none is.
    private(set) var missing: UserID?

    private let first: UserID?
    private let room: Int
    /// The bytes of users behind the first that hold enough positions for any page.
    private let enough: Int
    private var users: [UserID: PackedGroups] = [:]
    private var count = 0
    /// The count at which to look next for users to leave out.
    private var trimmedAt: Int

    /// The largest size of a packed fix with its share of a group.
    private static let fixBytes = 80

    /// Nothing yet. Will keep the positions of users from `first` on; nil for all.
    ///
    /// - Parameters:
    ///   - limit: how many positions are wanted, of which some users may have none.
    ///   - room: the number of bytes to keep, roughly; the first user is kept even if theirs are more.
    init(from first: UserID?, limit: Int, room: Int) {
        self.first = first
        self.room = room
        enough = limit * PackedPositions.fixBytes
        trimmedAt = min(room, enough)
    }

    /// The users with their groups, sorted by id.
    var sorted: [(user: UserID, groups: PackedGroups)] {
        users.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Takes the groups of a chunk; chunks come in order of writing. Throws ``StoreError/damaged(_:)``.
    mutating func take(_ chunk: Span<UInt8>) throws(StoreError) {
        try FixChunk.forEachGroup(in: chunk) { user, device, fixes in
            if let first, user < first { return }
            if let missing, user >= missing { return }
            count += users[user, default: PackedGroups()].append(fixes, of: device)
        }
        if count > trimmedAt { trim() }
    }

    /// Leaves out the users behind those that are enough, and those for which there is no room. The first may have no
    /// position after the cursor of a page.
    private mutating func trim() {
        var (kept, behindFirst) = (0, 0)
        for (index, user) in users.keys.sorted().enumerated() {
            let bytes = users[user]?.byteCount ?? 0
            if let missing, user >= missing {
                users[user] = nil
            } else if index > 0, behindFirst >= enough || kept + bytes > room {
                missing = user
                users[user] = nil
            } else {
                kept += bytes
                if index > 0 { behindFirst += bytes }
            }
        }
        count = kept
        trimmedAt = kept + min(room, enough) / 2
    }
}

/// The packed fixes of a user in order of writing, each group with its device.
struct PackedGroups {
    /// The number of bytes in it.
    private(set) var byteCount = 0
    /// The packed names of devices; a device may occur more than once if many alternate.
    private var devices: [[UInt8]] = []
    /// Groups, each its device's place in `devices`, and its fixes with their length; some to a piece, for one growing
    /// array would hold its content twice.
    private var pieces: [ByteWriter] = []

    private static let pieceBytes = 4_096
    /// The number of latest devices that are compared with the next group's.
    private static let comparedDevices = 4

    /// Adds a group. Returns by how much ``byteCount`` has grown.
    mutating func append(_ fixes: Span<UInt8>, of device: Span<UInt8>) -> Int {
        let before = byteCount
        let place = place(of: device)
        if pieces.isEmpty || pieces[pieces.count - 1].bytes.count + fixes.count > PackedGroups.pieceBytes {
            // The first is small, for most users have few; the others are filled, with the head of their last group.
            let expected = pieces.isEmpty ? fixes.count : PackedGroups.pieceBytes + 16
            pieces.append(ByteWriter(expecting: expected))
        }
        let last = pieces.count - 1
        byteCount -= pieces[last].bytes.count
        pieces[last].write(UInt64(place))
        pieces[last].write(block: fixes)
        byteCount += pieces[last].bytes.count
        return byteCount - before
    }

    /// The devices that groups name by their place.
    func sources() throws(StoreError) -> [DeviceKey] {
        var sources: [DeviceKey] = []
        for device in devices {
            var reader = ByteReader(device)
            sources.append(DeviceKey(deviceID: try reader.text(), bootID: try reader.text()))
        }
        return sources
    }

    /// Calls `body` with each fix and the place of its device in ``sources()``, in order of writing.
    func forEachFix(_ body: (_ source: Int, SettledFix) -> Void) throws(StoreError) {
        for piece in pieces {
            var reader = ByteReader(piece.bytes)
            while !reader.isAtEnd {
                let source = Int(try reader.number())
                var decoder = FixCoding.Decoder(reader: try reader.block())
                while let fix = try decoder.next() { body(source, fix) }
            }
        }
    }

    private mutating func place(of device: Span<UInt8>) -> Int {
        var place = devices.count - 1
        while place >= 0, place >= devices.count - PackedGroups.comparedDevices {
            if device.isEqual(to: devices[place]) { return place }
            place -= 1
        }
        devices.append(device.indices.map { device[$0] })
        byteCount += device.count
        return devices.count - 1
    }
}

extension Span<UInt8> {
    fileprivate func isEqual(to other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
