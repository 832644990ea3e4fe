import Moonlight

// At the top level, the compiler prefers the form of `send` that does not wait, even after `await`.
struct Book: Equatable, Sendable { var lines: [String] = [] }

let book = Reducer<Book, String, String, Void> { _, line, _ in
    .just(line)
} apply: { book, line in
    book.lines.append(line)
}
let store = Store(reducer: book, initialState: Book(), environment: ())
await store.send("a")  // refused in Swift 6: write send(event, until: .settled)
await store.send("b", until: .settled)
store.post("c")
await store.quiet()
