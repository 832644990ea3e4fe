import Foundation
import MoonlightTestSupport
import Testing

/// Runs a scene under every schedule with a limited number of preemptions, and then under random ones.
///
/// `MOONLIGHT_SEED` determines the random ones, `MOONLIGHT_EXHAUSTIVE=20` multiplies both numbers by twenty, and
/// `MOONLIGHT_SCHEDULE` runs only one schedule, such as that of a failure.
///
/// - Parameters:
///   - preemptions: The maximal number of preemptions.
///   - limit: The maximal number of schedules for each number of preemptions.
///   - rounds: The number of random schedules.
///   - set: Sets up the scene. Called for each schedule.
func explore(
    preemptions: Int = 2, limit: Int = 2_500, rounds: Int = Settings.rounds, location: SourceLocation = #_sourceLocation,
    _ set: (Stage) -> Void
) {
    let (problems, schedule, count) = firstProblems(preemptions, limit, rounds: rounds, set)
    if Settings.tellsCounts { print("\(location.fileID):\(location.line): \(count) schedules") }
    guard let schedule, !problems.isEmpty else { return }
    Issue.record(
        "\(problems.joined(separator: "; "))\nrun it again with MOONLIGHT_SCHEDULE=\(schedule)", sourceLocation: location)
}

/// Returns the first schedule under which a scene fails, with the failure.
func firstProblems(
    _ preemptions: Int, _ limit: Int, rounds: Int = Settings.rounds, _ set: (Stage) -> Void
) -> ([String], Schedule?, count: Int) {
    var count = 0
    if let schedule = Settings.schedule {
        return (play(set, chooser(schedule.choices)).problems, schedule, 1)
    }
    for bound in 0...preemptions {
        var (enumeration, left) = (Enumeration(bound: bound), Settings.scaled(limit))
        while let choices = enumeration.next, left > 0 {
            let (problems, path) = play(set, chooser(choices))
            if !problems.isEmpty { return (problems, Schedule(path.map(\.choice)), count) }
            enumeration.advance(past: path)
            left -= 1
            count += 1
        }
    }
    var length = 50
    for round in 0..<Settings.scaled(rounds) {
        var dice = Dice(seed: Settings.seed &+ round)
        // A few switches at random places; many in every fourth round.
        let switches = Set((0..<round % 4 + 2).map { _ in dice.roll(length) })
        var place = 0
        let (problems, path) = play(set) { options, couldContinue in
            place += 1
            let goesOn = round % 4 == 3 ? dice.roll(3) > 0 : !switches.contains(place - 1)
            return couldContinue && goesOn ? 0 : dice.roll(options)
        }
        length = max(path.count, 1)
        if !problems.isEmpty { return (problems, Schedule(path.map(\.choice)), count) }
        count += 1
    }
    return ([], nil, count)
}

private func chooser(_ choices: [Int]) -> (Int, Bool) -> Int {
    var rest = choices.makeIterator()
    return { _, _ in rest.next() ?? 0 }
}

private func play(
    _ set: (Stage) -> Void, _ choose: @escaping (Int, Bool) -> Int
) -> (problems: [String], path: [Decision]) {
    let stage = Stage()
    set(stage)
    let ending = Director.shared.run(stage.threads, choose: choose)
    let path = Director.shared.path
    switch ending {
    case .done: stage.close()
    case .deadlock: stage.fail("every thread waits for another")
    case .endless: stage.fail("it does not come to an end")
    }
    return (stage.problems, path)
}

enum Settings {
    static let schedule = Schedule(text: value("SCHEDULE"))
    static let seed = Budget.seed
    static let rounds = 200
    static let tellsCounts = value("COUNTS") != nil

    /// Returns a number of schedules: the given one, since these tests run optimized, or a multiple in the exhaustive tier.
    static func scaled(_ count: Int) -> Int { Budget.rounds(count, least: count) }

    private static func value(_ name: String) -> String? { ProcessInfo.processInfo.environment["MOONLIGHT_" + name] }
}
