import PromisedDomain

extension FuzzTarget {
    static let heldFixes = FuzzTarget(
        "held-fixes",
        "Held fixes behave as a plain list that is added to at its end and shortened at its beginning."
    ) { bytes throws(Violation) in
        var draw = Draw(bytes)
        var held = HeldFixes()
        var model: [SettledFix] = []
        while !draw.isAtEnd {
            if draw.below(4) > 0 {
                let fix = draw.fix()
                held.append(fix)
                model.append(fix)
            } else {
                let horizon = draw.isHeads() ? draw.instant() : Instant(milliseconds: .min)
                let limit = draw.isHeads() ? draw.below(8) : .max
                let removed = held.removeAll(before: horizon, leaving: limit)
                var expected: [SettledFix] = []
                while let first = model.first, first.time < horizon || model.count > limit {
                    expected.append(first)
                    model.removeFirst()
                }
                try require(removed.map(\.bits) == expected.map(\.bits), "removed \(removed), not \(expected)")
            }
            try require(held.count == model.count, "\(held.count) fixes instead of \(model.count)")
        }
        try require(held.all.map(\.bits) == model.map(\.bits), "\(held.all) instead of \(model)")
        try require(held.first?.bits == model.first?.bits, "the oldest one is \(String(describing: held.first))")
        try require(held.last?.bits == model.last?.bits, "the newest one is \(String(describing: held.last))")
    }
}
