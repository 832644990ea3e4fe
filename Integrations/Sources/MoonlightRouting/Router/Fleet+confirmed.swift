import Moonlight
import MoonlightDurability

extension Fleet {
    /// Sends an event with a key. A rejection is returned when it is in the log, too.
    ///
    /// A rejection leads to no effect, and so the first answer does not wait for the log. If another owner has appended meanwhile, it was
    /// decided on an old state, and the event may be in the log already, by an attempt before. The same event, sent again, is answered
    /// when the first answer is durable; if that was refused by the log, the member is read anew.
    func sendConfirmed(_ event: Event, to id: ID, key: String) async throws(FleetError) {
        for _ in 0..<10 {
            do throws(FleetError) { return try await send(event, to: id, key: key, until: .decided) } catch {
                guard case .send(_, .rejected(let reason)) = error, !(reason is RepeatedRejection) else { throw error }
            }
        }
        throw .send(id: id.description, .timedOut(isTaken: true))
    }
}
