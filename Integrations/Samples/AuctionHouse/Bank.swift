import Synchronization

/// A simulated external payment service, which can be slow, fail or hang.
package final class Bank: Sendable {
    package enum Mood: String, Sendable, Codable, CaseIterable {
        case good
        /// Answers after two seconds.
        case slow
        /// Answers with an error.
        case failing
        /// Never answers.
        case hanging
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let state: Mutex<(mood: Mood, receipts: [String: String], attempts: Int)>
    private let patience: Duration
    private let pause: Duration

    /// - Parameters:
    ///   - patience: The time that a caller waits for an answer.
    ///   - pause: The time before the second attempt; it doubles after each attempt.
    package init(_ mood: Mood = .good, patience: Duration = .seconds(3), pause: Duration = .milliseconds(200)) {
        state = Mutex((mood, [:], 0))
        self.patience = patience
        self.pause = pause
    }

    package var mood: Mood {
        get { state.withLock { $0.mood } }
        set { state.withLock { $0.mood = newValue } }
    }

    /// The number of requests for payments, and of payments.
    package var counts: (attempts: Int, payments: Int) { state.withLock { ($0.attempts, $0.receipts.count) } }

    /// Charges a bidder, with up to three attempts. A repeated call with the same key returns the same receipt, without a second
    /// payment.
    package func pay(_ bid: Auction.Bid, key: String) async throws -> String {
        var pause = pause
        for attempt in 1... {
            do { return try await answer(bid, key) } catch {
                if attempt == 3 || Task.isCancelled { throw error }
            }
            try await Task.sleep(for: pause)
            pause *= 2
        }
        throw Failure(description: "not reached")
    }

    private func answer(_ bid: Auction.Bid, _ key: String) async throws -> String {
        try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask { try await self.service(bid, key) }
            group.addTask { [patience] in
                try await Task.sleep(for: patience)
                throw Failure(description: "the payment service does not answer")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? ""
        }
    }

    /// Handles a request of the service.
    private func service(_ bid: Auction.Bid, _ key: String) async throws -> String {
        let mood = state.withLock { state in
            state.attempts += 1
            return state.mood
        }
        switch mood {
        case .good: break
        case .slow: try await Task.sleep(for: .seconds(2))
        case .failing: throw Failure(description: "the payment service is out of order")
        case .hanging: try await Task.sleep(for: .seconds(1_000_000))
        }
        return state.withLock { state in
            if let receipt = state.receipts[key] { return receipt }
            let receipt = "\(bid.bidder) paid \(bid.amount) for \(key)"
            state.receipts[key] = receipt
            return receipt
        }
    }
}
