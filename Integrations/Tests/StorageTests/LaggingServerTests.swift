import CNATS
import MoonlightRouting
import Testing

@_spi(Storage) @testable import MoonlightNATS

/// Two of three servers form a majority; the third one lags behind.
@Suite("A NATS server that lags behind", .enabled(if: Cluster.isInstalled, Comment(rawValue: Cluster.comment)))
struct LaggingServerTests {
    @Test("A lagging server does not report a former holder of a key")
    func formerHolder() throws {
        let cluster = try Cluster()
        defer { cluster.remove() }
        let key = "lagging"
        let first = try OwnerBucket(JetStream(cluster.nats))
        guard case .granted(let revision) = try first.take(key, for: "former") else { throw NotGranted() }
        first.release(key, for: "former", revision: revision)

        let leader = try leader(cluster)
        let near = try OwnerBucket(JetStream(cluster.nats(only: leader)))
        let lagging = (leader + 1) % 3
        let far = try OwnerBucket(JetStream(cluster.nats(only: lagging)))
        for round in 0..<50 {
            let answer = try near.take(key, for: "former")
            guard case .granted(let revision) = answer else { throw NotGranted(round: round, answer: answer) }
            cluster.whilePaused(lagging) { near.release(key, for: "former", revision: revision) }
            let next = try far.take(key, for: "next")
            guard case .granted(let revision) = next else { throw NotGranted(round: round, answer: next) }
            far.release(key, for: "next", revision: revision)
        }
    }

    private struct NotGranted: Error {
        var round = 0
        var answer: LeaseAnswer?
    }

    /// The server that leads the table of owners.
    private func leader(_ cluster: Cluster) throws -> Int {
        let jetStream = try JetStream(cluster.nats)
        var leader = Int?.none
        try jetStream.retry("find the leader") {
            var info: UnsafeMutablePointer<jsStreamInfo>?
            let status = js_GetStreamInfo(&info, jetStream.context, "KV_\(OwnerBucket.name)", nil, nil)
            guard status == NATS_OK else { return (status, nil) }
            defer { jsStreamInfo_Destroy(info) }
            let name = info?.pointee.Cluster?.pointee.Leader.map { String(cString: $0) } ?? ""
            leader = Int(name.dropFirst())
            return (leader == nil ? NATS_NOT_FOUND : NATS_OK, nil)
        }
        return try #require(leader)
    }
}
