import MoonlightTestSupport

/// Steps of a machine that are drawn until nothing can happen any more: what the quick tier tries of an exploration of all orders.
struct RandomRun<Machine, Step> {
    private(set) var machine: Machine
    /// The steps that have led to it.
    private(set) var steps: [Step] = []
    /// True if no step is left.
    private(set) var isOver = false

    /// - Parameters:
    ///   - steps: What can happen.
    ///   - isRare: Whether a step is left out three times out of four, since it ends what is going on.
    ///   - isWrong: Whether the run is to end with this machine.
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
