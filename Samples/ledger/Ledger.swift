import Moonlight
import Streams

/// A double-entry book: what leaves one account enters another, so that all accounts together are always zero.
struct Ledger: Codable, Hashable, Sendable {
    /// The balance of each account, in cents.
    var balances: [String: Int] = [:]
    /// How many postings there were.
    var postings = 0
    /// The account from which money comes into the book, and which may be overdrawn.
    static let source = "equity"
}

/// What the user asks for.
enum LedgerEvent: Codable, Hashable, Sendable {
    case post(Posting)
}

/// Money that goes from one account to another.
struct Posting: Codable, Hashable, Sendable {
    var from: String
    var to: String
    /// In cents.
    var amount: Int
}

/// What happens to the book. The two halves of a posting are effects of one event, and so in the log together or not at all.
enum LedgerEffect: Codable, Hashable, Sendable {
    case credited(account: String, amount: Int)
    case debited(account: String, amount: Int)
}

extension Ledger {
    static let reducer = Reducer<Ledger, LedgerEvent, LedgerEffect, Void>(
        transform: { state, event, _ in
            switch event {
            case .post(let posting):
                try state.check(posting)
                return AnyPublisher(
                    [
                        LedgerEffect.credited(account: posting.from, amount: posting.amount),
                        .debited(account: posting.to, amount: posting.amount),
                    ].publisher)
            }
        },
        apply: { (state: inout Ledger, effect: LedgerEffect) in
            switch effect {
            case .credited(let account, let amount): state.balances[account, default: 0] -= amount
            case .debited(let account, let amount):
                state.balances[account, default: 0] += amount
                state.postings += 1
            }
        })

    /// Throws if a posting is not possible.
    private func check(_ posting: Posting) throws {
        guard posting.amount > 0 else { throw Rejection("an amount is more than nothing") }
        guard posting.from != posting.to else { throw Rejection("both accounts are \(posting.from)") }
        let balance = balances[posting.from] ?? 0
        guard posting.from == Self.source || balance >= posting.amount else {
            throw Rejection("\(posting.from) has only \(Money(cents: balance))")
        }
        for account in [posting.from, posting.to] where abs(balances[account] ?? 0) > .max - posting.amount {
            throw Rejection("\(account) cannot hold so much")
        }
    }

    /// A line for each account, in the order of their names.
    var lines: [String] {
        let rows = balances.sorted { $0.key < $1.key }.map { (account: $0.key, amount: "\(Money(cents: $0.value))") }
        let (width, amountWidth) = (rows.map(\.account.count).max() ?? 0, rows.map(\.amount.count).max() ?? 0)
        return rows.map { account, amount in
            let gap = width - account.count + amountWidth - amount.count + 2
            return account + String(repeating: " ", count: gap) + amount
        }
    }
}

/// An amount of money, with two decimals.
struct Money: Hashable, CustomStringConvertible {
    let cents: Int

    init(cents: Int) { self.cents = cents }

    /// Reads an amount: `12`, `12.5` or `12.50`.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, whole.count < 16, whole.allSatisfy(\.isASCIIDigit), let units = Int(whole)
        else {
            return nil
        }
        guard parts.count == 2 else {
            self.init(cents: units * 100)
            return
        }
        guard (1...2).contains(parts[1].count), parts[1].allSatisfy(\.isASCIIDigit), let rest = Int(parts[1]) else { return nil }
        self.init(cents: units * 100 + (parts[1].count == 1 ? rest * 10 : rest))
    }

    var description: String {
        let (units, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(cents < 0 ? "-" : "")\(units).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension Character {
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
