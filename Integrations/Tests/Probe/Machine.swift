import Dispatch
import Foundation
import Moonlight
import MoonlightDurability
@_spi(Storage) import MoonlightNATS
import MoonlightRouting
import Synchronization

/// One machine of a fleet, which `.ci/chaos-nats` disconnects, kills, stops and starts. It sends to all members, with one sender
/// for each, and prints the acknowledgments with their times.
enum Machine {
    static let partitions = 6
    static let members = (0..<12).map { "room \($0)" }
    static let lease = Duration.seconds(12)

    static func cluster(_ servers: [String], patience: Duration = .seconds(6)) -> NATS {
        NATS(servers, replicas: 3, lease: lease, patience: patience)
    }

    static func fleet(_ partition: Int, _ cluster: NATS) -> Fleet<String, Chronicle, Chronicle.Entry> {
        Fleet(
            reducer: Chronicle.reducer, environment: { _ in },
            durable: DurableFleet(
                storage: JetStreamFleetStorage("rooms-\(partition)", in: cluster, isRouted: true),
                schema: Schema(Chronicle.Entry.self), state: Schema(Chronicle.self), snapshotEvery: 20,
                keys: .latest(10_000, within: .seconds(120))), initialState: { _ in Chronicle() })
    }

    static func run(_ name: String, _ servers: [String]) async throws {
        let cluster = cluster(servers)
        let router = FleetRouter(
            "rooms", partitions: partitions, unasked: partitions / 3, leases: NATSLeases(in: cluster),
            courier: NATSCourier("rooms", in: cluster), events: .json, patience: .seconds(20), answerTime: .seconds(1)
        ) { fleet($0, cluster) }
        let draining = Flag()
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM)
        source.setEventHandler {
            draining.set()
            Task {
                await router.drain(within: .seconds(5))
                exit(0)
            }
        }
        source.activate()
        let output = Output()
        Task {
            var owned: [Int] = []
            while true {
                if router.owned != owned {
                    owned = router.owned
                    output.say("owns \(DispatchTime.now().uptimeNanoseconds) \(owned.map(String.init).joined(separator: ","))")
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for (place, member) in members.enumerated() {
                group.addTask {
                    var number = 0
                    while !draining.isSet {
                        number += 1
                        let entry = Chronicle.Entry(sender: name, number: number)
                        var isAccepted = false
                        while !isAccepted, !draining.isSet {
                            do throws(RoutingError) {
                                // Every attempt has the same key.
                                try await router.send(entry, to: member, key: "\(name)-\(number)")
                                isAccepted = true
                            } catch { output.say("error \(DispatchTime.now().uptimeNanoseconds) \(place) \(error)") }
                        }
                        guard isAccepted else { return }
                        output.say("acknowledged \(DispatchTime.now().uptimeNanoseconds) \(place) \(name) \(number)")
                        try? await Task.sleep(for: .milliseconds(100))
                    }
                }
            }
        }
        while true { try await Task.sleep(for: .seconds(60)) }
    }

    /// Reads all logs, and prints their contents.
    static func check(_ servers: [String]) async throws {
        let cluster = cluster(servers, patience: .seconds(30))
        for partition in 0..<partitions {
            let fleet = fleet(partition, cluster)
            for id in try await fleet.ids().ids {
                guard let place = members.firstIndex(of: id) else { continue }
                print("partition \(place) \(partition)")
                do {
                    let state = try await fleet.state(of: id)
                    print("faults \(place) \(state.faults.isEmpty ? "none" : state.faults.joined(separator: "; "))")
                    for (sender, number) in state.numbers.sorted(by: { $0.key < $1.key }) {
                        print("log \(place) \(sender) \(number)")
                    }
                } catch { print("faults \(place) \(error)") }
            }
            await fleet.drain(within: .zero)
        }
        print("end")
    }
}

private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}

private final class Output: Sendable {
    private let lock = Mutex(())
    func say(_ line: String) { lock.withLock { _ in FileHandle.standardOutput.write(Data((line + "\n").utf8)) } }
}

/// The events of senders, each with the next number of its sender.
struct Chronicle: Equatable, Codable, Sendable {
    var numbers: [String: Int] = [:]
    /// Faults: numbers that occur twice, are missing, or come too early.
    var faults: [String] = []

    struct Entry: Equatable, Codable, Sendable {
        let sender: String
        let number: Int
    }

    static let reducer = Reducer<Chronicle, Entry, Entry, Void>(
        transform: { _, entry, _ in .just(entry) },
        apply: { (state: inout Chronicle, entry: Entry) in
            let last = state.numbers[entry.sender] ?? 0
            if entry.number != last + 1, state.faults.count < 10 {
                state.faults.append("\(entry.sender) \(entry.number) after \(last)")
            }
            state.numbers[entry.sender] = entry.number
        })
}
