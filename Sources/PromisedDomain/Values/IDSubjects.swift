// The subjects of ids whose types are defined in modules above this one: promises and notifications refer to them.

/// The subject of the ids of courses.
package enum CourseSubject {}

package typealias CourseID = ID<CourseSubject>

/// The subject of the ids of visits.
package enum VisitSubject {}

package typealias VisitID = ID<VisitSubject>

/// The subject of the ids of profile pictures: of their files.
package enum PictureSubject {}

package typealias PictureID = ID<PictureSubject>

/// The subject of the ids of recordings.
package enum RecordingSubject {}

package typealias RecordingID = ID<RecordingSubject>
