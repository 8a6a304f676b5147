/// Marks the ids of courses. Defined here, below courses, because promises refer to one.
package enum CourseMark {}

package typealias CourseID = ID<CourseMark>
