import Moonlight
import MoonlightDurability

/// The answer of an owner.
enum RoutedOutcome: Codable, Hashable, Sendable {
    /// Everything that the event has led to is in the log.
    case accepted
    case rejected(String)
    case overflow
    /// The asked process does not own the member, or no longer; the event was not taken.
    case notOwner
    case invalid(String)
    case failed(String, isTaken: Bool)
    /// The fleet of the owner cannot be used; the event was not taken.
    case broken(String)

    /// Converts the error of a fleet.
    init(_ error: FleetError) {
        switch error {
        case .send(_, let error): self.init(error)
        case .full, .unreadable, .unremoved: self = .failed("\(error)", isTaken: false)
        case .unopened: self = .broken("\(error)")
        case .invalidID(let id): self = .invalid("\(id.prefix(80)) is no id")
        }
    }

    private init(_ error: SendError) {
        switch error {
        case .draining, .ended: self = .notOwner
        case .overflow: self = .overflow
        case .rejected(let reason): self = .rejected((reason as? Rejection)?.reason ?? "\(reason)")
        case .interrupted(let interruption): self = .failed("\(interruption)", isTaken: true)
        case .cancelled(let isTaken), .timedOut(let isTaken), .notDurable(_, let isTaken):
            self = .failed("\(error)", isTaken: isTaken)
        }
    }

    var bytes: [UInt8] { (try? Codec<RoutedOutcome>.json.encode(self)) ?? [] }

    /// Returns the outcome in a message; nil if there is none.
    init?(_ bytes: [UInt8]) {
        guard let outcome = try? Codec<RoutedOutcome>.json.decode(bytes) else { return nil }
        self = outcome
    }
}
