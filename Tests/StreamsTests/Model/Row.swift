import Streams

/// An object that the closures of a chain retain, to check their release; also the time of the run.
final class Witness: Sendable {
    let time = VirtualTimeScheduler()
    func callAsFunction<Value>(_ value: Value) -> Value { value }
}

/// An operator of the table: a chain to test, and a model of its values.
struct Row: Sendable, CustomStringConvertible {
    let description: String
    let traits: Traits
    /// Runs a script; returns the fault, or nil.
    let run: @Sendable (Script) -> String?
    /// The type-erased chain and its model, if its values can be passed to another row.
    let link: Link?
    /// A known bug that makes scripts fail.
    private(set) var bug: String?

    /// The properties of a row besides its chain and its model.
    struct Traits: Sendable {
        /// The number of upstreams.
        var upstreams = 1
        /// Indicates whether it is only tested with subscribers that request everything.
        var wantsAll = false
        /// The requests of the first upstream.
        var asks = Asking.enough
        /// The requests of the other upstreams.
        var asksOthers = Asking.enough
        /// Indicates whether its values depend on time.
        var isTimed = false
        /// Indicates whether the operator may send kept values in any order.
        var isAnyOrder = false
        /// Indicates whether it traps on a value that it has not requested.
        var isStrict = false
        /// Indicates whether it may cancel an upstream whose completion is pending, as Combine's scheduling operators do.
        var cancelsEnded = false
        /// True if it releases the second upstream without cancelling it when that has sent its value, as Combine does.
        var leavesOther = false
        /// Indicates whether it completes after a cancellation during the subscription if it has nothing to send, as in Combine.
        var completesAnyway = false
    }

    /// The parts that are needed to connect one row to another.
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

    /// The same row, with a known bug.
    func failing(because bug: String) -> Row {
        var row = self
        row.bug = bug
        return row
    }

    /// An operator that passes on values at once.
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

    /// An operator that passes on values at once, and can be upstream of another.
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

    /// An operator that keeps its values until they are requested.
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

/// Lists rows; the compiler checks each separately.
@resultBuilder
enum RowBuilder {
    static func buildExpression(_ row: Row) -> [Row] { [row] }
    static func buildExpression(_ rows: [Row]) -> [Row] { rows }
    static func buildBlock(_ parts: [Row]...) -> [Row] { parts.flatMap { $0 } }
}
