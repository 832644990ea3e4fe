import Moonlight
import Streams

/// The loop of a program, with what is called for each key.
///
/// Its closures are formed where the types of the program are known, so that they and the loop are specialized: the rest of a program
/// is not, and asks the runtime for types.
@usableFromInline
struct ProgramLoop<State: Equatable & Sendable, Event: Sendable> {
    let store: Store<State, Event>
    /// Sends an event.
    let send: (Event) -> Void
    /// Returns the state of this moment.
    let state: () -> State
    /// Calls a function at each state, and another one at the end.
    let observe: (_ change: @escaping () -> Void, _ end: @escaping () -> Void) -> AnyCancellable

    @inlinable
    init(_ store: Store<State, Event>) {
        self.init(
            store, send: { store.send($0) }, state: { store.state },
            observe: { change, end in
                store.states.sink(receiveCompletion: { _ in end() }, receiveValue: { _ in change() })
            })
    }

    @usableFromInline
    init(
        _ store: Store<State, Event>, send: @escaping (Event) -> Void, state: @escaping () -> State,
        observe: @escaping (@escaping () -> Void, @escaping () -> Void) -> AnyCancellable
    ) {
        self.store = store
        self.send = send
        self.state = state
        self.observe = observe
    }
}
