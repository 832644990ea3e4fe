import MoonlightTestSupport

/// A random run of a model: steps are drawn until none is possible. The quick tier runs these in place of an exploration of all
/// orders.
struct RandomRun<Machine, Step> {
    private(set) var machine: Machine
    /// The steps that have led to it.
    private(set) var steps: [Step] = []
    /// True if no step is possible.
    private(set) var isOver = false

    /// - Parameters:
    ///   - steps: The possible steps of a machine.
    ///   - isRare: Returns whether a step is left out three times out of four, because it ends the work in progress.
    ///   - isWrong: Returns whether the run ends with this machine.
    init(
        _ machine: Machine, seed: Int, steps: (Machine) -> [Step], isRare: (Step) -> Bool,
        after: (Step, Machine) throws -> Machine, isWrong: (Machine) -> Bool
    ) rethrows {
        self.machine = machine
        var dice = Dice(seed: seed)
        while !isWrong(self.machine), self.steps.count < 1_000 {
            let possible = steps(self.machine)
            guard !possible.isEmpty else {
                isOver = true
                return
            }
            let step = possible[dice.roll(possible.count)]
            if isRare(step), dice.roll(4) > 0 { continue }
            self.steps.append(step)
            self.machine = try after(step, self.machine)
        }
    }
}
