/// A folder with the sums of its courses.
package struct FolderOverview: Hashable, Sendable {
    package let folder: Folder
    package let courses: Int
    /// The total length of its courses, in metres.
    package let distanceMetres: Double

    package init(folder: Folder, courses: Int, distanceMetres: Double) {
        self.folder = folder
        self.courses = courses
        self.distanceMetres = distanceMetres
    }
}
