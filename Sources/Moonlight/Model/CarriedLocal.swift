/// A task-local that a loop carries from who sends an event to what the event causes.
///
/// ```swift
/// enum Request { @TaskLocal static var id: String? }
///
/// let options = LoopOptions<State, Event, Effect>(carrying: [CarriedLocal(Request.$id, named: "request")])
/// ```
/// It is read when an event is sent, in the context of its sender, and bound again around the event's `transform`, the effects that
/// it starts, the changes that these make, and what observers send when they see one: also when the event had to wait and another
/// thread handles it.
public struct CarriedLocal: Sendable {
    /// What it is called in the journal.
    public let name: String
    let capture: @Sendable (String) -> any CapturedLocal

    /// A task-local to carry.
    ///
    /// - Parameters:
    ///   - local: The task-local itself, which its property's projected value is: `ServiceContext.$current`.
    ///   - name: What it is called in the journal; the type of its value if nil.
    public init<Value: Sendable>(_ local: TaskLocal<Value>, named name: String? = nil) {
        self.name = name ?? String(describing: Value.self)
        capture = { LocalValue(local: local, value: local.get(), name: $0) }
    }
}

/// The values of the task-locals that a loop carries, as they were when an event was sent.
public struct CarriedContext: Sendable, CustomStringConvertible {
    /// At least one.
    private let locals: [any CapturedLocal]

    @usableFromInline
    init(_ locals: [CarriedLocal]) {
        self.locals = locals.map { $0.capture($0.name) }
    }

    /// Each name with its value, in the order in which the options list them.
    public var values: [(name: String, value: any Sendable)] { locals.map { ($0.name, $0.anyValue) } }

    /// The value of a name; nil if nothing of that name is carried.
    public subscript(name: String) -> (any Sendable)? { locals.first { $0.name == name }?.anyValue }

    /// The names with their values: `request=7, tenant=blue`.
    public var description: String {
        values.map { "\($0.name)=\(ValueDescription.of($0.value))" }.joined(separator: ", ")
    }

    /// Makes a call in which the task-locals have these values.
    @usableFromInline
    func bind<Result>(_ call: () throws -> Result) rethrows -> Result { try bind(from: 0, call) }

    private func bind<Result>(from place: Int, _ call: () throws -> Result) rethrows -> Result {
        guard place < locals.count else { return try call() }
        return try locals[place].bind { try bind(from: place + 1, call) }
    }
}

/// A task-local with the value that it had.
protocol CapturedLocal: Sendable {
    var name: String { get }
    var anyValue: any Sendable { get }
    func bind<Result>(_ call: () throws -> Result) rethrows -> Result
}

private struct LocalValue<Value: Sendable>: CapturedLocal {
    let local: TaskLocal<Value>
    let value: Value
    let name: String

    var anyValue: any Sendable { value }
    func bind<Result>(_ call: () throws -> Result) rethrows -> Result { try local.withValue(value, operation: call) }
}
