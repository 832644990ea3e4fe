import Streams

/// What the closures of a chain hold on to, and what they are released with; also the time of the run.
final class Witness: Sendable {
    let time = VirtualTimeScheduler()
    func callAsFunction<Value>(_ value: Value) -> Value { value }
}

/// One operator of the table: a chain to try, and the model of what it sends.
struct Row: Sendable, CustomStringConvertible {
    let description: String
    let traits: Traits
    /// Runs a script; returns what was wrong, nil for nothing.
    let run: @Sendable (Script) -> String?
    /// The chain with its type erased, and its model, if it sends what can be passed to another row.
    let link: Link?
    /// A bug that is known and makes scripts fail, until it is mended.
    private(set) var bug: String?

    /// What sets rows apart, besides the chain and its model.
    struct Traits: Sendable {
        /// How many upstreams it has.
        var upstreams = 1
        /// Whether it is only tried with subscribers that ask for everything.
        var wantsAll = false
        /// What the first upstream is asked for.
        var asks = Asking.enough
        /// What the others are asked for.
        var asksOthers = Asking.enough
        /// Whether what it sends depends on time.
        var isTimed = false
        /// Whether it is up to the operator in which order it sends what it has to keep.
        var isAnyOrder = false
        /// Whether it traps on a value that it has not asked for.
        var isStrict = false
        /// Whether it may cancel an upstream whose end is still on its way down, as Combine's scheduling operators do.
        var cancelsEnded = false
        /// True if it releases the second upstream without cancelling it when that has sent its value, as Combine does.
        var leavesOther = false
        /// Whether it completes though it was cancelled as it was subscribed to, having nothing else to send, as in Combine.
        var completesAnyway = false
    }

    /// What is needed to put one row behind another.
    struct Link: Sendable {
        let make: @Sendable (Upstream, Witness) -> Ints
        let model: @Sendable ([Int], End?) -> ([Int], End?)
        let asks: Asking
    }

    /// An operator over several upstreams, or one with a model of its own.
    init<P: Publisher & SendableMetatype>(
        _ name: String, upstreams: Int = 1, wantsAll: Bool = false, asks: Asking = .enough, others: Asking? = nil,
        isTimed: Bool = false,
        isAnyOrder: Bool = false, isStrict: Bool = false,
        cancelsEnded: Bool = false, leavesOther: Bool = false, completesAnyway: Bool = false, link: Link? = nil,
        _ make: @escaping @Sendable ([Upstream], Witness) -> P, model: @escaping @Sendable (History) -> Due<P.Output>
    ) where P.Output: Equatable & SendableMetatype {
        let traits = Traits(
            upstreams: upstreams, wantsAll: wantsAll, asks: asks, asksOthers: others ?? asks, isTimed: isTimed,
            isAnyOrder: isAnyOrder,
            isStrict: isStrict, cancelsEnded: cancelsEnded, leavesOther: leavesOther,
            completesAnyway: completesAnyway)
        description = name
        self.traits = traits
        self.link = link
        run = { Trial<P.Output, P.Failure>($0, traits, model: model).run { make($0, $1) } }
    }

    /// The same row, of which it is known that scripts fail.
    func failing(because bug: String) -> Row {
        var row = self
        row.bug = bug
        return row
    }

    /// An operator that passes on what comes, as it comes.
    static func passing<P: Publisher & SendableMetatype>(
        _ name: String, asks: Asking = .same, _ make: @escaping @Sendable (Upstream, Witness) -> P,
        model: @escaping @Sendable ([Int], End?) -> ([P.Output], End?)
    ) -> Row where P.Output: Equatable & SendableMetatype {
        Row(name, asks: asks) {
            make($0[0], $1)
        } model: {
            let (values, end) = model($0.values, $0.end)
            return .passing(values, end)
        }
    }

    /// An operator that passes on what comes, as it comes, and can stand in front of another.
    static func linking<P: Publisher<Int, Oops> & SendableMetatype>(
        _ name: String, asks: Asking = .same, _ make: @escaping @Sendable (Upstream, Witness) -> P,
        model: @escaping @Sendable ([Int], End?) -> ([Int], End?)
    ) -> Row {
        let link = Link(make: { make($0, $1).eraseToAnyPublisher() }, model: model, asks: asks)
        return Row(name, asks: asks, link: link) {
            make($0[0], $1)
        } model: {
            let (values, end) = model($0.values, $0.end)
            return .passing(values, end)
        }
    }

    /// An operator that keeps what it sends until it is asked for it.
    static func keeping<P: Publisher & SendableMetatype>(
        _ name: String, asks: Asking = .everything, _ make: @escaping @Sendable (Upstream, Witness) -> P,
        model: @escaping @Sendable ([Int], End?) -> ([P.Output], End?)
    ) -> Row where P.Output: Equatable & SendableMetatype {
        Row(name, asks: asks) {
            make($0[0], $1)
        } model: {
            let (values, end) = model($0.values, $0.end)
            return .kept(values, end)
        }
    }
}

/// Lists rows; each is looked at by the compiler on its own.
@resultBuilder
enum RowBuilder {
    static func buildExpression(_ row: Row) -> [Row] { [row] }
    static func buildExpression(_ rows: [Row]) -> [Row] { rows }
    static func buildBlock(_ parts: [Row]...) -> [Row] { parts.flatMap { $0 } }
}
