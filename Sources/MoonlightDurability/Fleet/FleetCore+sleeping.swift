import Moonlight
import Streams

// Waking members, putting them to sleep, and ending them.
extension FleetCore {
    func wake(_ place: FleetPlace, _ id: String) async {
        do {
            try await opening.opened()
            let resident = try await open(self, id, place)
            register(resident, place, id)
        } catch {
            let failure =
                (error as? FleetError) ?? .unreadable(id: id, DurabilityError(wrapping: error))
            change(failure: failure) { guarded, actions in
                guarded.counters.unreadable += 1
                guarded.residency.failed(place, &actions)
            }
        }
    }

    private func register(_ resident: Resident, _ place: FleetPlace, _ id: String) {
        let watchers = guarded.withLock { $0.watchers[ExactText(id)] ?? [] }
        for watcher in watchers { watcher.attach(resident.store, place) }
        let now = time.now()
        let (isTooMany, isCancelled) = change { guarded, actions in
            while guarded.residents.count <= place.number { guarded.residents.append(nil) }
            guarded.residents[place.number] = resident
            guarded.counters.wakes += 1
            guarded.residency.woke(place, at: now, &actions)
            return (guarded.watchers[ExactText(id)]?.count ?? 0 > watchers.count, guarded.isCancelled)
        }
        // Watchers that were added meanwhile.
        if isTooMany {
            for watcher in guarded.withLock({ $0.watchers[ExactText(id)] ?? [] }) { watcher.attach(resident.store, place) }
        }
        if isCancelled { resident.store.cancel() }
        guard let log = resident.log else { return }
        if let alarm = log.alarm { bringAlarm(of: id, forward: alarm) }
        if log.hasFailed { failed(place) }
        if log.noteRegistered() { ended(place) }
    }

    func rest(_ place: FleetPlace) {
        guard let resident = guarded.withLock({ $0.residents[place.number] }) else { return }
        let now = time.now()
        // No new event can reach it, so it remains quiet, except for streams of its feedback, which begin nothing while it
        // drains.
        guard resident.store.isQuiet, !isAlarmSoon(resident) else {
            return change { guarded, actions in
                guarded.counters.keptAwake += 1
                guarded.residency.stays(place, at: now, &actions)
            }
        }
        resident.store.beginDraining()
    }

    private func isAlarmSoon(_ resident: Resident) -> Bool {
        guard let alarm = resident.log?.alarm, let idle else { return false }
        let now = time.wall()
        // The event of a past alarm was sent, and has set no other.
        return alarm > now && alarm.minus(now) < idle
    }

    func end(_ place: FleetPlace) {
        guard let resident = guarded.withLock({ $0.residents[place.number] }) else { return }
        resident.store.beginDraining()
        awaitEnd(of: resident, place)
    }

    /// Records the end of a member that has no log to report it.
    private func awaitEnd(of resident: Resident, _ place: FleetPlace) {
        guard resident.log == nil else { return }
        Task.detached { [self] in
            await resident.store.finished()
            ended(place)
        }
    }

    /// Records that a member's loop has ended. Its results may still be unwritten.
    func ends(_ place: FleetPlace) { guarded.withLock { discard($0.residency.ends(place)) } }

    /// Records that a member has ended and is written.
    func ended(_ place: FleetPlace) {
        let old = change { guarded, actions -> Resident? in
            guard guarded.residency.isCurrent(place) else { return nil }
            guarded.residency.ends(place)
            guarded.counters.sleeps += 1
            guarded.residency.ended(place, &actions)
            return guarded.residents[place.number].take()
        }
        if let log = old?.log, let failure = log.failure { wakeLater(log.id, after: failure) }
    }

    /// Ends a member that could not be written. The next sender wakes it from its log, or later ``wakeLater(_:after:)``.
    func failed(_ place: FleetPlace) {
        let resident = guarded.withLock { guarded -> Resident? in
            guard guarded.residency.isCurrent(place), place.number < guarded.residents.count else { return nil }
            guarded.residency.ends(place)
            return guarded.residents[place.number]
        }
        resident?.store.cancel()
    }

    // MARK: Removal

    /// Removes a member, and waits until its log is removed.
    func remove(_ id: String) async throws(FleetError) {
        try await opening.opened()
        let result = await withCheckedContinuation { (waiter: CheckedContinuation<Result<Void, FleetError>, Never>) in
            let isTaken = change { guarded, actions in
                guard guarded.residency.remove(id, &actions) else { return false }
                guarded.removals[ExactText(id), default: []].append(waiter)
                return true
            }
            if !isTaken { waiter.resume(returning: .failure(.send(id: id, .draining))) }
        }
        try result.get()
    }

    func cut(_ place: FleetPlace) {
        guard let resident = guarded.withLock({ $0.residents[place.number] }) else { return }
        resident.store.cancel()
        awaitEnd(of: resident, place)
    }

    func remove(_ place: FleetPlace, _ id: String) async {
        let result: Result<Void, FleetError>
        var waking: Int64?
        do { result = .success(try await removeLog(id)) } catch {
            let error = DurabilityError(wrapping: error)
            result = .failure(.unremoved(id: id, error))
            // For its work in flight, which was cancelled.
            waking = Self.pause(after: error).map(later)
        }
        let waiters = change { [waking] guarded, actions in
            if case .success = result {
                guarded.alarms.remove(id)
                guarded.counters.removals += 1
            }
            if let waking { guarded.alarms.bring(id, forward: waking) }
            guarded.residency.removed(place, &actions)
            return guarded.removals.removeValue(forKey: ExactText(id)) ?? []
        }
        if waking != nil { scheduleAlarms() }
        for waiter in waiters { waiter.resume(returning: result) }
    }
}
