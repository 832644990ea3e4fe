/// The contenders.
package enum Contender: String, CaseIterable, Codable, Sendable {
    case moonlight = "Moonlight"
    /// The limit: the loop that one would write by hand for just this.
    case byHand = "by hand"
    /// The same without any of Swift's checks: an unsafe buffer of objects of one final class.
    case unsafeByHand = "by hand, unsafe"
    case openCombine = "OpenCombine"
    case asyncSequences = "async sequences"
    // What one would write instead of a loop. No peers: there are no streams and no observers that come and go.
    case mutex = "Mutex"
    case actor = "actor"

    package var isPeer: Bool { self == .openCombine || self == .asyncSequences }
}

/// The work of one contender for a row.
package struct Work {
    package enum Kind {
        /// Makes ready, and returns what does it for so many elements, more than once.
        case timed(() -> (Int) -> Void)
        /// Makes so many, and returns them alive.
        case held((Int) -> Any)
        /// Has been measured already.
        case known(Double)
    }

    package let row: Row
    package let contender: Contender
    package let kind: Kind

    /// Work that needs nothing beforehand.
    package init(_ row: Row, _ contender: Contender, run: @escaping (Int) -> Void) {
        self = .prepared(row, contender) { run }
    }

    /// Work on something that is made before, which is not measured.
    package static func prepared(_ row: Row, _ contender: Contender, _ prepare: @escaping () -> (Int) -> Void) -> Work {
        Work(row: row, contender: contender, kind: .timed(prepare))
    }

    private init(row: Row, contender: Contender, kind: Kind) {
        self.row = row
        self.contender = contender
        self.kind = kind
    }

    package init(_ row: Row, _ contender: Contender, hold: @escaping (Int) -> Any) {
        self.row = row
        self.contender = contender
        kind = .held(hold)
    }

    package init(_ row: Row, _ contender: Contender, known value: Double) {
        self.row = row
        self.contender = contender
        kind = .known(value)
    }
}
