import Moonlight
import MoonlightDurability

/// The answer of an owner.
enum RoutedOutcome: Codable, Hashable, Sendable {
    /// All effects of the event are in the log.
    case accepted
    case rejected(String)
    case overflow
    /// The receiver does not own the member; the event was not accepted.
    case notOwner
    case invalid(String)
    case failed(String, isTaken: Bool)
    /// The fleet of the owner is unusable; the event was not accepted.
    case broken(String)

    /// Converts the error of a fleet.
    init(_ error: FleetError) {
        switch error {
        case .send(_, let error): self.init(error)
        case .full, .unreadable, .unremoved: self = .failed("\(error)", isTaken: false)
        case .unopened: self = .broken("\(error)")
        case .invalidID(let id): self = .invalid("\(id.prefix(80)) is not a valid id")
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

    /// Decodes the outcome in a message; nil if the message is invalid.
    init?(_ bytes: [UInt8]) {
        guard let outcome = try? Codec<RoutedOutcome>.json.decode(bytes) else { return nil }
        self = outcome
    }
}
