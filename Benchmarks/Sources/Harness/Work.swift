/// The contenders.
package enum Contender: String, CaseIterable, Codable, Sendable {
    case moonlight = "Moonlight"
    /// The limit: a special-purpose loop, written by hand.
    case byHand = "by hand"
    /// The same without Swift's safety checks: an unsafe buffer of objects of one final class.
    case unsafeByHand = "by hand, unsafe"
    case openCombine = "OpenCombine"
    case asyncSequences = "async sequences"
    // Handwritten alternatives to a loop. They are no peers: they have no streams and no dynamic observers.
    case mutex = "Mutex"
    case actor = "actor"

    package var isPeer: Bool { self == .openCombine || self == .asyncSequences }
}

/// The work of one contender for a row.
package struct Work {
    package enum Kind {
        /// Prepares the work, and returns a closure that repeats it for a number of elements.
        case timed(() -> (Int) -> Void)
        /// Creates a number of objects, and returns them alive.
        case held((Int) -> Any)
        /// A known result.
        case known(Double)
    }

    package let row: Row
    package let contender: Contender
    package let kind: Kind

    /// Creates work without preparation.
    package init(_ row: Row, _ contender: Contender, run: @escaping (Int) -> Void) {
        self = .prepared(row, contender) { run }
    }

    /// Returns work on a prepared value, whose creation is not measured.
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
