import Moonlight

// The alarms of members.
extension FleetCore {
    func setAlarm(of id: String, for time: Int64?) {
        guarded.withLock { $0.alarms.set(time, for: id) }
        scheduleAlarms()
    }

    func setAlarms(_ dues: [(id: String, due: Int64)]) {
        guarded.withLock { guarded in for due in dues { guarded.alarms.set(due.due, for: due.id) } }
        scheduleAlarms()
    }

    /// Sends the events that are due, and schedules the next ones.
    private func scheduleAlarms() {
        let now = time.wall()
        let (isDue, later) = guarded.withLock { guarded -> (Bool, Int64?) in
            guard let next = guarded.alarms.next, !guarded.residency.isDraining, !guarded.isSounding else { return (false, nil) }
            if next <= now {
                guarded.isSounding = true
                return (true, nil)
            }
            if let time = guarded.alarmTime, time <= next { return (false, nil) }
            guarded.alarmTime = next
            return (false, next)
        }
        if isDue { Task.detached { await self.soundAlarms() } }
        guard let later else { return }
        // At most a day, since the wall clock may be set meanwhile.
        time.after(min(later - now, 86_400_000_000_000)) { [weak self] in
            self?.guarded.withLock { if $0.alarmTime == later { $0.alarmTime = nil } }
            self?.scheduleAlarms()
        }
    }

    /// Sounds the alarms that are due, 64 at once.
    private func soundAlarms() async {
        await withDiscardingTaskGroup { group in
            let slots = AsyncStream<Void>.makeStream()
            for _ in 0..<64 { slots.continuation.yield() }
            for await _ in slots.stream {
                let now = time.wall()
                let id = guarded.withLock { guarded -> String? in
                    let id = guarded.residency.isDraining ? nil : guarded.alarms.takeDue(at: now, most: 1).first
                    if id == nil { guarded.isSounding = false }
                    return id
                }
                guard let id else { break }
                group.addTask {
                    await self.sound(id)
                    slots.continuation.yield()
                }
            }
        }
        scheduleAlarms()
    }

    /// Wakes a member that is due, and sends it the event of its alarm, if the alarm is due.
    private func sound(_ id: String) async {
        guard case .use(let resident, let place) = await enter(id) else { return }
        let due = resident.log?.alarm
        leave(place)
        guard let alarm, let due, due <= time.wall() else { return }
        let event = alarm.event(WallTime(sinceEpoch: .nanoseconds(due)))
        note { $0.alarms += 1 }
        // If the alarm has changed meanwhile, the event is superfluous, which a reducer must expect in any case.
        try? await send(to: id) { await $0.send(event, until: .decided) }
    }
}
