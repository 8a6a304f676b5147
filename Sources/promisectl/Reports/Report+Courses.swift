import PromisedProtocol

extension Report {
    /// A course that was imported.
    static func courseImported(_ course: WireAdminCourse) -> Report {
        Report(Document(course)) { style in
            var fields = FieldList()
            fields.add("title", course.title, .heading)
            fields.add("id", course.courseID)
            fields.add("region", course.region)
            fields.add("source", course.sourceName)
            fields.add("licence", course.licence)
            fields.add("activity", course.activity.word)
            fields.add("length", MeasureText.distance(metres: course.distanceMetres))
            fields.add("points", "\(course.points)")
            return fields.text(style)
        }
    }

    static func courses(_ page: WireAdminCourses) -> Report {
        list(
            page,
            of: page.courses,
            ["TITLE", "REGION", "ACTIVITY", .number("LENGTH"), "SOURCE", "LICENCE", "IMPORTED", "ID"],
            whenEmpty: "no recommended courses: import one with promisectl course import"
        ) { course in
            [
                "\(course.title)", "\(course.region)", "\(course.activity.word)",
                Table.Cell(MeasureText.distance(metres: course.distanceMetres)), "\(course.sourceName)",
                "\(course.licence)", Table.Cell(MomentText.full(course.addedAt, if: course.hasAddedAt)),
                Table.Cell(course.courseID, .faint),
            ]
        }
    }

    /// The totals of stored user data.
    static func fileStatistics(_ statistics: WireAdminFileStatistics) -> Report {
        Report(Document(statistics)) { style in
            var fields = FieldList()
            for files in statistics.files {
                fields.add("files: \(files.kind.word)", "\(files.count), \(MeasureText.bytes(files.bytes))")
            }
            fields.add("users with files", "\(statistics.users)")
            fields.add("open uploads", "\(statistics.uploads)")
            if statistics.hasFreeBytes { fields.add("free", MeasureText.bytes(statistics.freeBytes)) }
            for recordings in statistics.recordings {
                fields.add("recordings: \(recordings.state.word)", "\(recordings.count)")
            }
            for courses in statistics.courses { fields.add("courses: \(courses.source.word)", "\(courses.count)") }
            fields.add("points", MeasureText.number(statistics.points, decimals: 0))
            fields.add("exports to make", "\(statistics.exports)")
            return fields.text(style)
        }
    }
}
