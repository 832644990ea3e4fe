import Streams

// Publishers without upstream, which keep their values until they are requested.
extension Table {
    @RowBuilder static var sources: [Row] {
        Row("Just", upstreams: 0) { _, w in
            Just(w(1))
        } model: { _ in
            .kept([1], .finished)
        }
        Row("Empty", upstreams: 0, completesAnyway: true) { _, _ in
            Empty<Int, Oops>()
        } model: { _ in
            .kept([], .finished)
        }
        Row("Empty that does not finish", upstreams: 0) { _, _ in
            Empty<Int, Oops>(completeImmediately: false)
        } model: { _ in
            .kept([], nil)
        }
        Row("Fail", upstreams: 0, completesAnyway: true) { _, w in
            Fail<Int, Oops>(error: w(.second))
        } model: { _ in
            .kept([], .failed(.second))
        }
        Row("a sequence", upstreams: 0) { _, _ in
            OperatorCase.sequence([1, 2, 2, 3])
        } model: { _ in
            .kept([1, 2, 2, 3], .finished)
        }
        Row("an empty sequence", upstreams: 0, completesAnyway: true) { _, _ in
            OperatorCase.sequence([])
        } model: { _ in
            .kept([], .finished)
        }
        Row("a lazy sequence", upstreams: 0) { _, w in
            [1, 2, 3].lazy.map { w($0 * 2) }.publisher
        } model: { _ in
            .kept([2, 4, 6], .finished)
        }
        Row("a range, erased", upstreams: 0) { _, _ in
            (1...3).publisher.eraseToAnyPublisher()
        } model: { _ in
            .kept([1, 2, 3], .finished)
        }
        Row("Just, erased", upstreams: 0) { _, w in
            Just(w(1)).eraseToAnyPublisher()
        } model: { _ in
            .kept([1], .finished)
        }
        Row("Deferred", upstreams: 0) { _, w in
            Deferred { w(OperatorCase.sequence([1, 2])) }
        } model: { _ in
            .kept([1, 2], .finished)
        }
        Row("Future", upstreams: 0) { _, w in
            Future<Int, Oops> { promise in promise(.success(w(1))) }
        } model: { _ in
            .kept([1], .finished)
        }
        Row("Future that fails", upstreams: 0) { _, w in
            Future<Int, Oops> { promise in promise(.failure(w(.second))) }
        } model: { _ in
            .kept([], .failed(.second))
        }
        Row("a current value", upstreams: 0) { _, w in
            CurrentValueSubject<Int, Oops>(w(1))
        } model: { _ in
            .kept([1], nil)
        }
    }
}
