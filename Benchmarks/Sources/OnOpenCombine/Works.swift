/// The rows of OpenCombine, and MoonKit's loop on it.
package func openCombineWorks() -> [Work] {
    chains() + subjects() + flattening() + combining() + subscribing() + generic() + loops() + [10, 100, 1000, 10_000].map(oneOf)
}

/// An event for one of many children: without composition, the whole state is copied and published.
private func oneOf(_ count: Int) -> Work {
    Work.prepared(.width(count), library) { () -> (Int) -> Void in
        let total = total
        let events = PassthroughSubject<(Int, Int), Never>()
        var observers: [AnyCancellable] = []
        let loop = Moonlight.start(
            initialState: Family(children: [Leaf](repeating: Leaf(), count: count)), environment: (),
            feedback: { states in
                observers.append(states.sink { mix($0.children[0].count, into: total) })
                return events.eraseToAnyPublisher()
            },
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
            apply: { state, effect in
                var next = state
                next.children[effect.0].count &+= effect.1
                return next
            })
        return { [observers] n in
            withExtendedLifetime((loop, observers)) { for i in 0..<n { events.send((i % count, 1)) } }
        }
    }
}
