extension Array {
    /// Calls `body` with the element where it lies. The plain subscript hands over a copy to look at, and counts each
    /// reference in it: of a member of a session 400 instructions, a dozen times for each report.
    @inline(__always)
    mutating func inPlace<Result>(_ index: Int, _ body: (inout Element) -> Result) -> Result { body(&self[index]) }
}
