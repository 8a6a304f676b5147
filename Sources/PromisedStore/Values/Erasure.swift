package import PromisedDomain

/// A part of a deletion: what its transaction took, and what the caller does about it.
package struct Erasure: Hashable, Sendable {
    /// The files whose rows are gone: the caller deletes their bytes.
    package var files: [FileID] = []
    /// The uploads whose rows are gone: the caller deletes their bytes.
    package var uploads: [UploadID] = []
    /// The promises that carried a deleted course and carry none now, each with that course: live sessions must forget it.
    package var promises: [PromiseID: CourseID] = [:]
    /// `true` if nothing is left to delete.
    package var isComplete = true
}

/// The room that a part of a deletion still has, in rows of the usual size.
///
/// Others' writes wait for a part, and what it changes is in memory: six hundred rows take some ten milliseconds.
struct ErasureRoom {
    private var rows = ErasureRoom.most

    /// The room of a whole part.
    static let most = 600

    /// `true` if the part ends here. What was asked for may not all be deleted.
    var isUsedUp: Bool { rows <= 0 }

    /// How many things of `weight` rows each still fit; the last of them may go beyond the end.
    func fitting(_ weight: Int) -> Int { max(0, (rows + weight - 1) / weight) }

    /// Notes the deletion of things of `weight` rows each.
    mutating func take(_ count: Int = 1, weighing weight: Int) { rows -= count * weight }
}
