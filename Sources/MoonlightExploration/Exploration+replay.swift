import MoonlightTesting

extension Exploration {
    /// Plays one trace, by the name that a failure gives it.
    ///
    /// Properties of the kind `canAlways` are not checked, as a single trace cannot decide them.
    ///
    /// - Parameter name: The short name of the trace, such as `"e0 a0.1 t"`; what follows a `*` repeats for good.
    /// - Returns: The trace.
    /// - Throws: The violation of a state on the way, or what is owed at the end and does not happen; or, if a choice does not
    ///   exist, which one.
    @discardableResult
    public func replay(_ name: String) throws(ExplorationFailure) -> String {
        var choices: [Choice] = []
        var stem: Int?
        for word in name.split(separator: " ") {
            if word == "*", stem == nil {
                stem = choices.count
                continue
            }
            guard let choice = Choice(word) else {
                throw ExplorationFailure("\"\(word)\" is no choice: choices are written e1, a0.2, t, c0 or x", at: place)
            }
            choices.append(choice)
        }
        do throws(any Error) {
            let play = Play(self)
            try check(play, after: [])
            var debts = Debts(self, stem: stem)
            try debts.note(play, after: 0)
            for (index, choice) in choices.enumerated() {
                guard try play.make(choice) else {
                    throw Finding.fault(
                        ExplorationFault("the trace has no choice \(choice) after \"\(choices.prefix(index).name)\""))
                }
                try check(play, after: Array(choices[...index]))
                try debts.note(play, after: index + 1)
            }
            try debts.check(play, after: choices)
            try checkDeadEnd(play, after: choices)
            return try trace(of: Array(choices.prefix(stem ?? .max)), cycle: stem.map { Array(choices[$0...]) } ?? [])
                .joined(separator: "\n")
        } catch let fault as ExplorationFault { throw failure(of: .fault(fault)) } catch let finding as Finding {
            throw failure(of: finding)
        } catch { throw ExplorationFailure("\(error)", at: place) }
    }
}
