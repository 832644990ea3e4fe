// A state that survives a crash: a ledger in a folder. Acknowledged lines are present after every restart, even if the process
// was killed.
//
//     printf 'post k1 100 equity cash\npost k2 30 cash rent\nbalance\n' | swift run ledger FOLDER
import MoonPresentation
import Moonlight
import MoonlightDurability
import Streams

struct Ledger: Codable, Hashable, Sendable {
    /// The balance of each account. The sum is always zero, and only `equity` may be negative.
    var balances: [String: Int] = [:]
}

struct Posting: Codable, Hashable, Sendable {
    var amount: Int
    var from: String
    var to: String
}

enum Effect: Codable, Hashable, Sendable {
    case credited(String, Int)
    case debited(String, Int)
}

/// Both halves of a posting are effects of one event, so the log contains both or neither.
let ledger = Reducer<Ledger, Posting, Effect, Void> { state, posting, _ in
    try state.check(posting)
    return .just(.credited(posting.from, posting.amount)).append(.debited(posting.to, posting.amount))
} apply: { state, effect in
    switch effect {
    case .credited(let account, let amount): state.balances[account, default: 0] -= amount
    case .debited(let account, let amount): state.balances[account, default: 0] += amount
    }
}

extension Ledger {
    func check(_ posting: Posting) throws {
        if !(1...1_000_000_000).contains(posting.amount) { throw Rejection("\(posting.amount) is no amount") }
        if posting.from == posting.to { throw Rejection("both accounts are \(posting.from)") }
        let balance = balances[posting.from] ?? 0
        if posting.from != "equity", balance < posting.amount { throw Rejection("\(posting.from) has only \(balance)") }
    }
}

typealias Book = Store<Ledger, Posting>

func open(_ folder: String) async throws(DurabilityError) -> Book {
    try await Book(
        reducer: ledger, initialState: Ledger(), environment: (), durable: .folder(folder, schema: Schema(Effect.self)))
}

/// Returns the answer to a line, once it is on the disk. A posting that is repeated with the same key is applied once.
func answer(_ line: String, _ book: Book) async -> [String] {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("balance", 1):
        return book.state.balances.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    case ("post", 5):
        guard let amount = Int(words[2]) else { return ["unknown amount: \(words[2])"] }
        switch await book.send(Posting(amount: amount, from: words[3], to: words[4]), key: words[1]) {
        case .success: return ["ok \(words[1])"]
        case .failure(.rejected(let error)): return ["refused \(words[1]): \(error)"]
        case .failure(let error): return ["failed \(words[1]): \(error)"]
        }
    default: return ["unknown command: post KEY AMOUNT FROM TO, or balance"]
    }
}

@main struct Main {
    static func main() async {
        StandardStreams.prepare()
        guard CommandLine.arguments.count == 2 else { StandardStreams.exit(64, "ledger: usage: ledger FOLDER") }
        do {
            let book = try await open(CommandLine.arguments[1])
            let output = OutputLines()
            for await line in StandardStreams.lines() {
                output.write(await answer(line.text, book))
                if output.failure != nil { break }
            }
            await book.drain(within: nil)
            await book.durability?.closed()
            StandardStreams.exit(output.finish(of: "ledger"))
        } catch {
            StandardStreams.exit(69, "ledger: cannot open the book: \(error)")
        }
    }
}
