import CAllocations
import Dispatch

/// The measurement of a contender for a row.
package struct Measurement: Codable, Sendable {
    package let contender: Contender
    /// The median, in the unit of the row.
    package let median: Double
    package let minimum: Double
    /// The allocations per element; nil if they were not counted.
    package let allocations: Double?
}

/// The effort of a measurement.
package struct Effort: Sendable {
    /// The duration of a round of one contender.
    let round: Double
    let rounds: Int

    package static let full = Effort(round: 10e6, rounds: 15)
    /// The effort for counting allocations only.
    package static let quick = Effort(round: 0, rounds: 1)
}

/// Measures the contenders of a row alternately, so that other load on the machine affects all of them.
package func measure(_ works: [Work], _ effort: Effort) -> [Measurement] {
    var contests = works.map { Contest($0, effort) }
    for _ in 0..<effort.rounds {
        for index in contests.indices { contests[index].runRound() }
    }
    return contests.map(\.result)
}

/// The measurements of one contender in a row.
private struct Contest {
    let work: Work
    var run: ((Int) -> Void)?
    var count: Int
    var allocations: Double?
    var samples: [Double] = []

    init(_ work: Work, _ effort: Effort) {
        self.work = work
        count = work.row.batch
        switch work.kind {
        case .known(let value): samples = [value]
        case .held(let make): samples = [bytes(count, make)]
        case .timed(let prepare):
            let run = prepare()
            self.run = run
            run(count)
            if allocations_are_counted() { allocations = countAllocations(run, count, work.row.countsThread) }
            while true {
                let duration = time(run, count)
                if duration >= effort.round / 2 { break }
                count *= duration < effort.round / 20 ? 10 : 2
            }
        }
    }

    mutating func runRound() {
        if let run { samples.append(time(run, count) / Double(count)) }
    }

    var result: Measurement {
        let sorted = samples.sorted()
        return Measurement(
            contender: work.contender, median: sorted[sorted.count / 2], minimum: sorted[0], allocations: allocations)
    }
}

private func time(_ run: (Int) -> Void, _ count: Int) -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    run(count)
    return Double(DispatchTime.now().uptimeNanoseconds - start)
}

/// Returns the allocations per element: the difference between a run and one of twice the size. One-time allocations do not
/// count.
private func countAllocations(_ run: (Int) -> Void, _ count: Int, _ isOfThread: Bool) -> Double {
    func allocations(_ elements: Int) -> Int {
        if isOfThread { allocations_start_here() } else { allocations_start() }
        run(elements)
        return isOfThread ? allocations_stop_here() : allocations_stop()
    }
    // The minimum of several runs, because tasks of the previous work may still be active.
    let differences = (0..<3).map { _ in
        let once = allocations(count)
        return allocations(2 * count) - once
    }
    return max(0, Double(differences.min() ?? 0) / Double(count))
}

private func bytes(_ count: Int, _ make: (Int) -> Any) -> Double {
    let before = allocated_bytes()
    let made = make(count)
    let after = allocated_bytes()
    return withExtendedLifetime(made) { Double(after - before) / Double(count) }
}
