import Moonlight

extension JobPolicy {
    /// All policies, for tests of rules that hold for each.
    package static let all: [JobPolicy] = [.latest, .ignoreNew, .queue, .merge, .queue(limit: 1), .merge(limit: 1)]
}
