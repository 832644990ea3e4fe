import Moonlight

/// How much a fleet may have awake, and for how long.
@usableFromInline
struct FleetLimits: Sendable {
    let resident: Int
    let waking: Int
    /// Nil if none is put to sleep.
    let idle: Duration?
    let inbox: InboxBound

    @usableFromInline
    init(resident: Int, waking: Int, idle: Duration?, inbox: InboxBound) {
        precondition(resident > 0, "at least one member must be able to be awake: resident is \(resident)")
        precondition(waking > 0, "at least one member must be able to be woken: waking is \(waking)")
        self.resident = resident
        self.waking = waking
        self.idle = idle
        self.inbox = inbox
    }
}
