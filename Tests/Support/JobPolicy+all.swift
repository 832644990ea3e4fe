import Moonlight

extension JobPolicy {
    /// All policies, for tests of what must hold for each.
    package static let all = Array(sequence(first: JobPolicy.latest, next: \.next))

    /// The policy after this one in ``all``. Without a `default`, so that a new case does not compile until it has its place: give
    /// it the successor of the case before it, and make it that case's successor.
    private var next: JobPolicy? {
        switch self {
        case .latest: .ignoreNew
        case .ignoreNew: .queue
        case .queue: .merge
        case .merge: .queue(limit: 1)
        case .limited(.queue, _): .merge(limit: 1)
        case .limited(.merge, _): nil
        }
    }
}
