/// What the user can say in a line.
enum Command: Equatable {
    /// A posting, by its key: said again, it is not made again.
    case post(Posting, key: String)
    /// A posting without a key.
    case postOnce(Posting)
    case balance
    case quit

    /// Reads a line; nil if it says nothing that is known.
    init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("post", 4):
            guard let posting = Posting(words[1...]) else { return nil }
            self = .postOnce(posting)
        case ("post", 5):
            guard let posting = Posting(words[2...]) else { return nil }
            self = .post(posting, key: words[1])
        case ("balance", 1): self = .balance
        case ("quit", 1): self = .quit
        default: return nil
        }
    }
}

extension Posting {
    /// Reads an amount and two accounts: `12.50 cash bank`.
    fileprivate init?(_ words: ArraySlice<String>) {
        let words = Array(words)
        guard let money = Money(words[0]) else { return nil }
        self.init(from: words[1], to: words[2], amount: money.cents)
    }
}
