import MoonlightTestSupport
import SampleLoopback
import SampleSupport
import Streams
import Testing

@testable import CounterSample

@Suite("Counter: the service")
struct CountServiceTests {
    private static func body(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// What a stream says first, or why it does not.
    private func first(_ stream: AnyPublisher<Int, ServiceError>) async throws -> Int? {
        for try await count in stream.values { return count }
        return nil
    }

    @Test("A posted count is loaded by other programs, and is limited by the service")
    func exchange() async throws {
        let service = try OwnService(.init(limit: 9), port: 0)
        let (one, other) = (
            CounterEnvironment.live(url: service.url, service: nil),
            CounterEnvironment.live(url: service.url, service: nil)
        )
        try await expectEqual(first(one.load()), 0)
        try await expectEqual(first(one.post(5)), 5)
        try await expectEqual(first(other.load()), 5)
        try await expectEqual(first(other.post(12)), 9)
        try await expectEqual(first(one.post(-3)), 0)
    }

    @Test("A request that was overtaken by a later one of the same client changes nothing")
    func overtaken() async throws {
        let service = CountService(.init())
        func post(_ count: Int, client: Int, press: Int) -> HTTPServer.Reply {
            service.answer(
                .init(
                    method: "POST", path: "/count",
                    body: Self.body(#"{"count":\#(count),"client":\#(client),"press":\#(press)}"#)))
        }
        expectEqual(post(2, client: 1, press: 2).text, #"{"count":2}"#)
        expectEqual(post(1, client: 1, press: 1).text, #"{"count":2}"#)
        expectEqual(post(7, client: 2, press: 1).text, #"{"count":7}"#)
        expectEqual(post(8, client: 1, press: 3).text, #"{"count":8}"#)
    }

    @Test("Every n-th change is refused, and nothing else")
    func failing() async throws {
        let service = try OwnService(.init(failsEvery: 2), port: 0)
        let environment = CounterEnvironment.live(url: service.url, service: nil)
        try await expectEqual(first(environment.post(1)), 1)
        await #expect(throws: ServiceError("503 Not OK")) { try await first(environment.post(2)) }
        try await expectEqual(first(environment.load()), 1)
        try await expectEqual(first(environment.post(3)), 3)
    }

    @Test("A stopped service refuses connections, and keeps its count when it is started again")
    func stopping() async throws {
        let service = try OwnService(.init(), port: 0)
        let environment = CounterEnvironment.live(url: service.url, service: service)
        try await expectEqual(first(environment.post(4)), 4)
        for try await isUp in environment.setServiceUp(false).values { expect(!isUp) }
        await #expect(throws: ServiceError("Connection refused")) { try await first(environment.load()) }
        for try await isUp in environment.setServiceUp(true).values { expect(isUp) }
        try await expectEqual(first(environment.load()), 4)
    }

    @Test("A body or an answer that is no count is refused by the service, and by the program")
    func nonsense() async throws {
        let service = CountService(.init())
        for body in ["", "7", "{}", #"{"count":"x"}"#, "\u{FF}"] {
            expectEqual(service.answer(.init(method: "POST", path: "/count", body: Self.body(body))).status, 400)
        }
        expectEqual(service.answer(.init(method: "GET", path: "/", body: [])).status, 404)
        let other = try HTTPServer { _ in .init(200, "hello") }
        let environment = CounterEnvironment.live(url: LoopbackURL(port: other.port, path: "/"), service: nil)
        await #expect(throws: ServiceError("the answer is no count")) { try await first(environment.load()) }
    }
}

extension HTTPServer.Reply {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
