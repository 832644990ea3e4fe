import Streams
import Testing

private struct Offline: Error {}

@Suite("Page: ComingFromCombine")
struct ComingFromCombinePage {
    @Test("A search field waits until typing pauses, in virtual time")
    func search() {
        let time = VirtualTimeScheduler()
        let (typed, shown) = (PassthroughSubject<String, Never>(), Log<[String]>())
        let find: @Sendable (String) -> AnyPublisher<[String], Offline> = { text in
            Just([text + "light"]).setFailureType(to: Offline.self).eraseToAnyPublisher()
        }
        let results =
            typed
            .debounce(for: .milliseconds(300), scheduler: time)
            .removeDuplicates()
            .map { text in find(text).replaceError(with: []) }
            .switchToLatest()
        let display = results.sink { shown.append($0) }
        typed.send("m")
        time.advance(by: .milliseconds(299))
        typed.send("moon")
        time.advance(by: .milliseconds(300))
        #expect(shown.items == [["moonlight"]])
        display.cancel()
    }

    @Test("A publisher is read with `for await`, and `run` sends the results of asynchronous functions")
    func asynchronous() async {
        var squares: [Int] = []
        for await square in (1...3).publisher.map({ $0 * $0 }).values { squares.append(square) }
        #expect(squares == [1, 4, 9])

        let name: @Sendable () async -> String = { "moon" }
        let greeting = AnyPublisher<String, Never>.run { send in
            send("hello")
            send(await name())
        }
        var words: [String] = []
        for await word in greeting.values { words.append(word) }
        #expect(words == ["hello", "moon"])
    }
}
