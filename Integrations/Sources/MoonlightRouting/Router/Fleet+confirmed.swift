import Moonlight
import MoonlightDurability

extension Fleet {
    /// Sends an event with an idempotency key. A rejection, too, is returned only once it is in the log.
    ///
    /// A rejection has no effect, so its first answer does not wait for the log. If another owner has appended meanwhile, the
    /// rejection was decided on an old state, and the log may already contain the event from an earlier attempt. The second send
    /// of the same event is answered once the first answer is durable; if the log refused it, the member is read again.
    func sendConfirmed(_ event: Event, to id: ID, key: String) async throws(FleetError) {
        for _ in 0..<10 {
            do throws(FleetError) { return try await send(event, to: id, key: key, until: .decided) } catch {
                guard case .send(_, .rejected(let reason)) = error, !(reason is RepeatedRejection) else { throw error }
            }
        }
        throw .send(id: id.description, .timedOut(isTaken: true))
    }
}
