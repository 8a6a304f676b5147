/// Who arrives when: different seats, evenly over the time that is measured.
enum ArrivalPlan {
    /// Seats with their moments, ascending; fewer than asked for when there are not enough seats.
    ///
    /// - Parameters:
    ///   - rate: arrivals per second.
    ///   - margin: nobody arrives in the last part of that length, so that their arrivals are seen.
    static func arrivals(
        seats: Int,
        rate: Double,
        from start: LoadTime,
        for duration: Duration,
        margin: Duration,
        using generator: inout some RandomNumberGenerator
    ) -> [(seat: Int, at: LoadTime)] {
        let count = min(seats, Int((rate * (duration - margin).inSeconds).rounded(.down)))
        guard count > 0 else { return [] }
        let chosen = Array(0..<seats).shuffled(using: &generator).prefix(count)
        return chosen.enumerated().map { index, seat in
            (seat, start + .microseconds(Int64((Double(index) / rate * 1_000_000).rounded())))
        }
    }
}
