package import PromisedDomain

/// A deleted account or folder whose rows and files are still being erased, and can no longer be read.
package enum Erasing: Hashable, Sendable {
    /// The belongings of a deleted account.
    case account(UserID)
    /// The courses of a deleted folder.
    case folder(FolderID)
}

/// The remaining work of an unfinished erasure.
package struct ErasingReport: Hashable, Sendable, CustomStringConvertible {
    package var erasing: Erasing
    package var deletedAt: Instant
    /// The number of files of the account, or of courses in the folder.
    package var left: Int

    package init(erasing: Erasing, deletedAt: Instant, left: Int) {
        self.erasing = erasing
        self.deletedAt = deletedAt
        self.left = left
    }

    /// For an operator: the kind, the id and the rest.
    package var description: String {
        switch erasing {
        case .account(let id): "account \(id): \(left) files left"
        case .folder(let id): "folder \(id): \(left) courses left"
        }
    }
}
