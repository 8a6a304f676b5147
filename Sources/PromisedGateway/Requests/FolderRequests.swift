internal import PromisedApplication
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedProtocol
internal import PromisedWire

/// The requests about folders (docs/courses.md).
struct FolderRequests: Sendable {
    let folders: Folders

    func create(_ request: WireCreateFolder, from caller: Caller) async throws -> Answer<WireContent> {
        let folder = try await folders.create(
            title: request.hasTitle ? request.title : nil,
            emoji: request.emoji,
            key: request.key,
            contentHash: try request.contentHash(),
            by: caller.userID
        )
        return .reply(.folder(WireFolder(folder)))
    }

    func update(_ request: WireUpdateFolder, from caller: Caller) async throws -> Answer<WireContent> {
        let folder = try await folders.update(
            try FolderID(wire: request.folderID, field: "folderId"),
            version: Int(request.version),
            title: request.hasTitle ? request.title : nil,
            emoji: request.hasEmoji ? request.emoji : nil,
            by: caller.userID
        )
        return .reply(.folder(WireFolder(folder)))
    }

    func delete(_ request: WireDeleteFolder, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try FolderID(wire: request.folderID, field: "folderId")
        try await folders.delete(id, withCourses: request.withCourses, by: caller.userID)
        return .done
    }

    func list(_ caller: Caller) async throws -> Answer<WireContent> {
        var reply = WireFolders()
        reply.folders = try await folders.list(of: caller.userID).map(WireFolder.init)
        return .reply(.folders(reply))
    }
}

extension WireFolder {
    fileprivate init(_ overview: FolderOverview) {
        self.init(overview.folder, courses: overview.courses, distanceMetres: overview.distanceMetres)
    }
}
