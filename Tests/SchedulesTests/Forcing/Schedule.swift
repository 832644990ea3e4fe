/// The thread that continued at each place where there was a choice.
///
/// The choices are numbers: 0 lets the thread that runs go on, 1 and up let another of those that could. After the last
/// number everything goes on as it is. So a schedule is a short list, and can be run again: `MOONLIGHT_SCHEDULE=0.0.1`.
struct Schedule: Equatable, CustomStringConvertible {
    var choices: [Int] = []

    init(_ choices: [Int] = []) { self.choices = Array(choices.reversed().drop { $0 == 0 }.reversed()) }
    init?(text: String?) {
        guard let text else { return nil }
        self.init(text.split(separator: ".").compactMap { Int($0) })
    }

    var description: String { choices.isEmpty ? "0" : choices.map(String.init).joined(separator: ".") }
}

/// A place where more than one thread could have gone on.
struct Decision {
    /// The number of threads that could continue.
    let options: Int
    let choice: Int
    /// Indicates whether the thread that ran could have continued: choosing another is then a preemption.
    let couldContinue: Bool
}

/// Goes through all schedules that have no more than so many preemptions, depth first.
///
/// What it knows of the tree is the path that was walked last: the next one is the deepest place on it where another choice
/// is left that the bound allows. Few preemptions find nearly everything: a race needs two or three switches at the wrong
/// time, seldom more, and what is found first has the fewest.
struct Enumeration {
    let bound: Int
    private(set) var next: [Int]? = []

    init(bound: Int) { self.bound = bound }

    /// Takes in what the last run decided.
    mutating func advance(past path: [Decision]) {
        var preemptions = path.map { $0.couldContinue && $0.choice > 0 ? 1 : 0 }
        var total = preemptions.reduce(0, +)
        for index in path.indices.reversed() {
            total -= preemptions.removeLast()
            let decision = path[index]
            let cost = decision.couldContinue ? 1 : 0
            if decision.choice + 1 < decision.options, total + cost <= bound {
                next = path[..<index].map(\.choice) + [decision.choice + 1]
                return
            }
        }
        next = nil
    }
}
