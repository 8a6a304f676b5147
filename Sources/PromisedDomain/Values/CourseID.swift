/// Marks the ids of courses. It stands below courses, because promises name one.
package enum CourseMark {}

/// Names a course.
package typealias CourseID = ID<CourseMark>
