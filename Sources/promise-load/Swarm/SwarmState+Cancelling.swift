// Owners who call their promise off.
extension SwarmState {
    /// Has owners cancel whose time has come.
    mutating func cancel(by now: LoadTime) -> [LoadAction] {
        var actions: [LoadAction] = []
        while let (seat, _) = cancellations.pop(by: now) {
            let group = clients[seat].group
            guard clients[seat].state == .live, !groups[group].isCancelled, let connection = clients[seat].connection
            else { continue }
            tally.cancellations += 1
            groups[group].isCancelled = true
            for member in groups[group].seats { stop(member) }
            actions.append(.send(connection, speech.cancel(clients[seat].seat)))
        }
        return actions
    }

    /// Does all that is due; called often.
    mutating func step(at now: LoadTime) -> [LoadAction] {
        report(by: now) + cut(by: now) + cancel(by: now) + comingBack(by: now)
    }
}
