// The measured rows. Each module named after a contender implements the same work.
extension Row {
    // MARK: Chains

    package static func chain(_ length: Int) -> Row {
        Row("Chains over a sequence", many(length, "operator"), .time(per: "value"), isHeadline: length == 5)
    }
    package static func erasedChain(_ length: Int) -> Row {
        Row("Chains over a sequence", many(length, "operator") + ", one erasure", .time(per: "value"), isHeadline: length == 10)
    }
    package static let chainErasedThroughout = Row(
        "Chains over a sequence", "5 operators, 5 erasures", .time(per: "value"))

    // MARK: Subjects

    package static func subject(_ sinks: Int) -> Row {
        Row("Subjects", "a subject to " + many(sinks, "sink"), .time(per: "delivery"), isHeadline: sinks == 1 || sinks == 1000)
    }
    package static let subjectChain = Row("Subjects", "a subject, map, filter, map", .time(per: "value"))
    package static let currentValue = Row(
        "Subjects", "a current value, map, removeDuplicates", .time(per: "value"), isHeadline: true)

    // MARK: Streams of streams

    package static let flatMapJust = Row("Streams of streams", "flatMap over Just", .time(per: "value"), isHeadline: true)
    package static let flatMapThree = Row("Streams of streams", "flatMap over sequences of 3", .time(per: "sequence"))
    package static let switchToLatest = Row("Streams of streams", "switchToLatest over Just", .time(per: "value"))

    // MARK: Streams side by side

    package static let merge = Row("Streams side by side", "merge of 4 subjects", .time(per: "value"), isHeadline: true)
    package static let combineLatest = Row(
        "Streams side by side", "combineLatest of 3 subjects", .time(per: "value"), batch: 3000)
    package static let zip = Row("Streams side by side", "zip of 2 subjects", .time(per: "pair"))

    // MARK: Subscriptions

    package static let subscribing = Row(
        "Subscriptions", "subscribe to a subject and cancel", .time(per: "subscription"), isHeadline: true)
    package static let subscribingAmongMany = Row(
        "Subscriptions", "the same beside 1,000 others", .time(per: "subscription"))
    package static let subscriptionBytes = Row("Subscriptions", "a live subscription", .bytes(per: "subscription"), batch: 10_000)

    package static let oneValue = Row(
        "Subscriptions", "one value: Just, map, flatMap, sink", .time(per: "value"), isHeadline: false)

    // MARK: Generic code that is not specialized

    package static let genericSubscribing = Row(
        "Unspecialized", "subscribe to a subject, map, filter, and cancel", .time(per: "subscription"))
    package static let genericChain = Row("Unspecialized", "a sequence, map, filter, sink", .time(per: "value"))
    package static let genericSubject = Row("Unspecialized", "a subject to 1 sink", .time(per: "value"))

    // MARK: On the main actor

    package static let actorSink = Row("On the main actor", "a subject to 1 sink", .time(per: "value"))
    package static let actorSubscribing = Row(
        "On the main actor", "subscribe to a subject and cancel", .time(per: "subscription"))
    package static let actorEvent = Row("On the main actor", "an event: small state", .time(per: "event"))

    // MARK: Loops

    package static let event = Row("The loop", "an event: small state", .time(per: "event"), isHeadline: true)
    package static let historyEvent = Row("The loop", "an event: the last ten strings", .time(per: "event"), isHeadline: true)
    package static let historyEventInPlace = Row("The loop", "an event: the last ten strings, in place", .time(per: "event"))
    package static let largeEvent = Row("The loop", "an event: a state of 10 KB", .time(per: "event"))
    package static let storeEvent = Row("The loop", "an event: small state, by a store's send", .time(per: "event"))
    package static let laterEffect = Row("The loop", "an effect that is answered later", .time(per: "event"))
    package static let taskEffect = Row("The loop", "an effect from a task", .time(per: "event"), isExact: false)
    package static func producers(_ threads: Int) -> Row {
        Row(
            "The loop", "\(threads) producing threads", .time(per: "event"), batch: 8000, isExact: false,
            isHeadline: threads == 2)
    }
    package static let steps = Row(
        "The loop", "a step that its observer sends", .time(per: "step"), batch: 1_000_000, isHeadline: true)
    package static let lifetime = Row(
        "The loop", "10,000 loops: start, one event, cancel", .time(per: "loop"), batch: 10_000, isHeadline: true)
    package static let storeLifetime = Row(
        "The loop", "10,000 stores: make, one event, release", .time(per: "store"), batch: 10_000)
    package static let storeBytes = Row("The loop", "a live store with an observer", .bytes(per: "store"), batch: 10_000)
    package static let arrayEvent = Row("The loop", "an event: two effects, an array", .time(per: "event"))
    package static let valuesOf = Row("The loop", "an event: small state, watched through values(of:)", .time(per: "event"))
    package static let loopBytes = Row("The loop", "a live loop with an observer", .bytes(per: "loop"), batch: 10_000)

    // MARK: Composition

    package static func depth(_ levels: Int) -> Row {
        Row("Composition", "a child \(many(levels, "level")) down", .time(per: "event"), isHeadline: levels == 5)
    }
    package static func width(_ children: Int) -> Row {
        Row("Composition", "one of \(grouped(children)) children", .time(per: "event"), isHeadline: children == 10_000)
    }

    // MARK: Answers

    package static let post = Row("Answers", "post, in a task", .time(per: "event"))
    package static let decided = Row("Answers", "await send, until decided", .time(per: "event"))
    package static let reading = Row("Answers", "await send, and a reading of the state", .time(per: "event"))
    package static let settled = Row("Answers", "await send, until settled", .time(per: "event"))
    package static let jobEvent = Row("Answers", "an event whose effect is a ready job", .time(per: "event"))
    package static let jobEffects = Row("Answers", "an event whose two effects are a job", .time(per: "event"))

    // MARK: Journal

    package static let journalOff = Row("The journal", "off", .time(per: "event"))
    package static let journalOn = Row("The journal", "on: its records are counted", .time(per: "event"))
    package static let journalText = Row("The journal", "on: its records are made text", .time(per: "event"))
    package static let journalWriter = Row(
        "The journal", "on: a JournalWriter makes them text elsewhere", .time(per: "event"), isExact: false)
    package static func journalOfArray(_ count: Int) -> Row {
        Row("The journal", "a state with an array of \(count): counted", .time(per: "event"))
    }
    package static func writerOfArray(_ count: Int) -> Row {
        Row("The journal", "a state with an array of \(count): through a JournalWriter", .time(per: "event"), isExact: false)
    }

    package static let recordingOn = Row(
        "The journal", "on: a Recording encodes its records elsewhere", .time(per: "event"), countsThread: true)
    package static func recordingOfArray(_ count: Int) -> Row {
        Row("The journal", "a state with an array of \(count): through a Recording", .time(per: "event"), countsThread: true)
    }

    // MARK: Frames of a terminal

    package static let equalFrame = Row("Frames of a terminal, 80 x 24", "of an equal state", .time(per: "frame"))
    package static let movedFrame = Row("Frames of a terminal, 80 x 24", "a list whose selection moves", .time(per: "frame"))
    package static let scrolledFrame = Row("Frames of a terminal, 80 x 24", "a list that scrolls", .time(per: "frame"))
    package static let pilotFrame = Row(
        "Frames of a terminal, 80 x 24", "a key of a pilot, and the frame after it", .time(per: "frame"), isExact: false)

    // MARK: Programs

    package static func startUp(_ kind: ProgramKind) -> Row { Row("Programs", "a \(kind.rawValue): start-up", .whole("ms")) }
    package static func size(_ kind: ProgramKind) -> Row { Row("Programs", "a \(kind.rawValue): size, stripped", .whole("MB")) }
    package static func buildTime(_ kind: ProgramKind) -> Row { Row("Programs", "a \(kind.rawValue): clean build", .whole("s")) }
}

/// A kind of small program, named like a folder in `Programs`.
package enum ProgramKind: String { case stream, loop }

private func many(_ number: Int, _ thing: String) -> String { "\(grouped(number)) \(thing)\(number == 1 ? "" : "s")" }

/// Formats a number with thousands separators.
package func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : "\(grouped(number / 1000)),\(String(1000 + number % 1000).dropFirst())"
}
