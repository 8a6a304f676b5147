/// A way that was kept.
package enum Course {}
/// Names a course.
package typealias CourseID = ID<Course>
