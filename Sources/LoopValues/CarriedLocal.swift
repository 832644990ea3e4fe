/// A task-local value that a loop carries from the sender of an event to all consequences of the event.
///
/// ```swift
/// enum Request { @TaskLocal static var id: String? }
///
/// let options = LoopOptions<State, Event, Effect>(taskLocals: [CarriedLocal(Request.$id, named: "request")])
/// ```
/// The value is read when an event is sent, in the context of its sender. It is bound again around the event's `transform`, its
/// effects, their changes of the state, and the events that observers send in response, even if the event had to wait and another
/// thread handles it.
public struct CarriedLocal: Sendable {
    /// The name of the value in the journal.
    public let name: String
    /// Reads the current value of the task-local.
    let capture: @Sendable () -> Captured

    /// A value that was read, and a function that makes a call with the task-local bound to it.
    typealias Captured = (value: any Sendable, bind: @Sendable (_ call: () -> Void) -> Void)

    /// Creates a description of a task-local to carry.
    ///
    /// - Parameters:
    ///   - local: The task-local, which is the projected value of its property: `ServiceContext.$current`.
    ///   - name: The name of the value in the journal; if nil, the name of its type.
    public init<Value: Sendable>(_ local: TaskLocal<Value>, named name: String? = nil) {
        self.name = name ?? String(describing: Value.self)
        capture = {
            let value = local.get()
            return (value, { call in local.withValue(value, operation: call) })
        }
    }
}

/// The values of the task-locals that a loop carries, at the time when an event was sent.
@usableFromInline package struct CarriedContext: Sendable {
    /// The values, at least one.
    private let locals: [(name: String, captured: CarriedLocal.Captured)]

    @usableFromInline package init(_ locals: [CarriedLocal]) {
        self.locals = locals.map { ($0.name, $0.capture()) }
    }

    /// Adds the current value of a task-local to those of another context.
    package init(_ context: CarriedContext?, with local: CarriedLocal) {
        locals = (context?.locals ?? []) + [(local.name, local.capture())]
    }

    /// The names with their values, in the order of the loop's options.
    package var values: [(name: String, value: any Sendable)] { locals.map { ($0.name, $0.captured.value) } }

    /// Calls a closure with the task-locals bound to these values.
    @usableFromInline package func bind(_ call: () -> Void) { bind(from: 0, call) }

    private func bind(from place: Int, _ call: () -> Void) {
        guard place < locals.count else { return call() }
        locals[place].captured.bind { bind(from: place + 1, call) }
    }
}
