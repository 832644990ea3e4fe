// Generic user code that the optimizer cannot specialize, like that of a library without @inlinable.

func generic() -> [Work] {
    [
        Work.prepared(.genericSubscribing, library) { () -> (Int) -> Void in
            let total = total
            let subject = PassthroughSubject<Int, Never>()
            return { n in subscribe(to: subject, n, { $0 &+ 1 }, { $0 > 0 }) { mix($0, into: total) } }
        },
        Work(.genericChain, library) { n in
            let total = total
            consume(0..<n, { $0 &+ 1 }, { $0 & 1 == 0 }) { mix($0, into: total) }
        },
        Work.prepared(.genericSubject, library) { () -> (Int) -> Void in
            let total = total
            let subject = PassthroughSubject<Int, Never>()
            let sink = listen(to: subject) { mix($0, into: total) }
            return { n in withExtendedLifetime(sink) { send(0..<n, to: subject) } }
        },
    ]
}

@inline(never) @_semantics("optimize.sil.specialize.generic.never")
private func subscribe<Value>(
    to subject: PassthroughSubject<Value, Never>, _ n: Int, _ change: @escaping @Sendable (Value) -> Value,
    _ isWanted: @escaping @Sendable (Value) -> Bool, _ take: @escaping (Value) -> Void
) {
    for _ in 0..<n { subject.map(change).filter(isWanted).sink(receiveValue: take).cancel() }
}

@inline(never) @_semantics("optimize.sil.specialize.generic.never")
private func consume<Values: Swift.Sequence>(
    _ values: Values, _ change: @escaping @Sendable (Values.Element) -> Values.Element,
    _ isWanted: @escaping @Sendable (Values.Element) -> Bool,
    _ take: @escaping (Values.Element) -> Void
) {
    _ = Publishers.Sequence<Values, Never>(sequence: values).map(change).filter(isWanted).sink(receiveValue: take)
}

@inline(never) @_semantics("optimize.sil.specialize.generic.never")
private func listen<Value>(to subject: PassthroughSubject<Value, Never>, _ take: @escaping (Value) -> Void) -> AnyCancellable {
    subject.sink(receiveValue: take)
}

@inline(never) @_semantics("optimize.sil.specialize.generic.never")
private func send<Values: Swift.Sequence>(_ values: Values, to subject: PassthroughSubject<Values.Element, Never>) {
    for value in values { subject.send(value) }
}
