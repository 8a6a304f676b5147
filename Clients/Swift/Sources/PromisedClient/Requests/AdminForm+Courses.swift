public import PromisedProtocol

extension AdminForm {
    /// The numbers of files, recordings, courses and exports.
    public static func getFileStatistics() -> Self where Reply == WireAdminFileStatistics {
        Self(.getFileStatistics(WireAdminGetFileStatistics())) {
            if case .fileStatistics(let reply) = $0 { reply } else { nil }
        }
    }

    /// A page of the recommended courses, the last imported one first.
    ///
    /// - Parameters:
    ///   - cursor: from the page before; nil for the first.
    ///   - limit: the size of the page, 1 to 50; the server's choice without it.
    public static func listRecommendedCourses(cursor: String? = nil, limit: Int32? = nil) -> Self
    where Reply == WireAdminCourses {
        var request = WireAdminListRecommendedCourses()
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.listRecommendedCourses(request)) { if case .courses(let reply) = $0 { reply } else { nil } }
    }

    /// Sends the next piece of the GPX file of a recommended course; the last piece makes the course. Up to four such forms
    /// may wait for their replies, and a frame has at most 64 KiB.
    public static func importRecommendedCourse(_ piece: WireAdminImportRecommendedCourse) -> Self
    where Reply == WireAdminCourseImport {
        Self(.importRecommendedCourse(piece)) { if case .courseImport(let reply) = $0 { reply } else { nil } }
    }

    /// Removes a recommended course; copies of it stay.
    public static func removeRecommendedCourse(_ courseID: String) -> Self where Reply == WireAdminDone {
        var request = WireAdminRemoveRecommendedCourse()
        request.courseID = courseID
        return Self(done: .removeRecommendedCourse(request))
    }
}
