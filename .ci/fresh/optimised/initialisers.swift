// Initialisers that erase a type, applied to values with references. Swift 6.3 failed to optimise `AnyPublisher(Just(text))` while
// the initialiser consumed its argument.
import Moonlight
import Streams

public struct Note: Equatable, Sendable {
    public var title: String
    public var lines: [String]
}

public let inClosure: @Sendable (String) -> AnyPublisher<String, Never> = { AnyPublisher(Just($0)) }
public func text(_ value: String) -> AnyPublisher<String, Never> { AnyPublisher(Just(value)) }
public func array(_ value: [String]) -> AnyPublisher<[String], Never> { AnyPublisher(Just(value)) }
public func structure(_ value: Note) -> AnyPublisher<Note, Never> { AnyPublisher(Just(value)) }
public func optional(_ value: Note?) -> AnyPublisher<Note?, Never> { AnyPublisher(Just(value)) }
public func existential(_ value: any Error) -> AnyPublisher<any Error, Never> { AnyPublisher(Just(value)) }
public func generic<Value>(_ value: Value) -> AnyPublisher<Value, Never> { AnyPublisher(Just(value)) }
public func twice(_ value: String) -> AnyPublisher<String, Never> { AnyPublisher(AnyPublisher(Just(value))) }
public func sequence(_ value: String) -> AnyPublisher<String, Never> { AnyPublisher([value, value].publisher) }
public func list(_ values: [Note]) -> AnyPublisher<Note, Never> { AnyPublisher(values.publisher) }
public func nothing() -> AnyPublisher<String, Never> { AnyPublisher(Empty()) }
public func mapped(_ value: String) -> AnyPublisher<String, Never> { AnyPublisher(Just(value).map { $0 + "!" }) }
public func failing(_ error: any Error) -> AnyPublisher<String, any Error> { AnyPublisher(Fail(error: error)) }
public func result(_ value: Result<Note, any Error>) -> AnyPublisher<Note, any Error> { AnyPublisher(value.publisher) }
public func maybe(_ value: Note?) -> AnyPublisher<Note, Never> { AnyPublisher(value.publisher) }
public func subject(_ subject: CurrentValueSubject<Note, Never>) -> AnyPublisher<Note, Never> { AnyPublisher(subject) }
public func deferred(_ value: Note) -> AnyPublisher<Note, Never> { AnyPublisher(Deferred { Just(value) }) }
public func future(_ value: Note) -> AnyPublisher<Note, Never> { AnyPublisher(Future { $0(.success(value)) }) }
public func prepended(_ value: Note) -> AnyPublisher<Note, Never> { AnyPublisher(Just(value).prepend(value)) }
public func reference(_ values: [AnyPublisher<Note, Never>]) -> [AnyPublisher<Note, Never>] { values.map(AnyPublisher.init) }
public func effects(_ value: Note) -> Effects<Note> { Effects(Just(value)) }
public func effects(_ values: [Note]) -> Effects<Note> { Effects(AnyPublisher(values.publisher)) }
public func scheduler(_ queue: VirtualTimeScheduler) -> AnyScheduler<TimePoint, Never> { AnyScheduler(queue) }
public func subscriber(_ take: @escaping @Sendable (Note) -> Void) -> AnySubscriber<Note, Never> {
    AnySubscriber(AnySubscriber(receiveSubscription: { $0.request(.unlimited) }, receiveValue: { take($0); return .none }))
}
public func reducer() -> Reducer<[String], String, String, Void> {
    Reducer(transform: { _, word, _ in AnyPublisher(Just(word)) }, apply: { words, word in words.append(word) })
}
