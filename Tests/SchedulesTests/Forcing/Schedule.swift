/// The choices of a run: the thread that continued at each place where several could.
///
/// 0 continues the running thread, 1 and up another one. After the last choice, the running thread always continues. So a
/// schedule is a short list, and can be repeated: `MOONLIGHT_SCHEDULE=0.0.1`.
struct Schedule: Equatable, CustomStringConvertible {
    var choices: [Int] = []

    init(_ choices: [Int] = []) { self.choices = Array(choices.reversed().drop { $0 == 0 }.reversed()) }
    init?(text: String?) {
        guard let text else { return nil }
        self.init(text.split(separator: ".").compactMap { Int($0) })
    }

    var description: String { choices.isEmpty ? "0" : choices.map(String.init).joined(separator: ".") }
}

/// A place at which several threads could have continued.
struct Decision {
    /// The number of threads that could continue.
    let options: Int
    let choice: Int
    /// Indicates whether the running thread could have continued: choosing another is then a preemption.
    let couldContinue: Bool
}

/// Enumerates all schedules with a limited number of preemptions, depth first.
///
/// It stores only the last path: the next schedule differs from it at the deepest place with another choice within the limit. Few
/// preemptions suffice: most races need two or three switches, and the first failing schedule has the fewest.
struct Enumeration {
    let bound: Int
    private(set) var next: [Int]? = []

    init(bound: Int) { self.bound = bound }

    /// Records the decisions of the last run.
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
