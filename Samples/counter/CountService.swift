import Dispatch
import MoonPresentation
import SampleLoopback
import SampleSupport
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What goes between the program and the service.
struct CountMessage: Codable, Equatable {
    /// The count.
    var count: Int
    /// Who asks, and how often it has asked before: of one who presses quickly, requests may overtake each other.
    var client: UInt64?
    var press: Int?
}

/// The service: a count, and who may change it.
final class CountService: Sendable {
    /// How the service behaves.
    struct Behaviour: Equatable {
        /// The largest count.
        var limit = 99
        /// How long an answer takes, in milliseconds.
        var delay = 0
        /// Every so manyth change is refused; nil if none is.
        var failsEvery: Int?
    }

    private struct Book {
        var count = 0
        var changes = 0
        var latest: [UInt64: Int] = [:]
    }

    private let behaviour: Behaviour
    private let book = Mutex(Book())

    init(_ behaviour: Behaviour) { self.behaviour = behaviour }

    /// Answers a request: `GET /count` with the count, `POST /count` with the one that it has become.
    func answer(_ request: HTTPServer.Request) -> HTTPServer.Reply {
        if behaviour.delay > 0 {
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(behaviour.delay))
        }
        switch (request.method, request.path) {
        case ("GET", "/count"): return reply(book.withLock { $0.count })
        case ("POST", "/count"):
            guard let message = try? JSONDecoder().decode(CountMessage.self, from: Data(request.body)) else {
                return .init(400, "that is no count")
            }
            return change(message)
        default: return .init(404, "there is only /count")
        }
    }

    private func change(_ message: CountMessage) -> HTTPServer.Reply {
        let count = book.withLock { book -> Int? in
            book.changes += 1
            if let every = behaviour.failsEvery, book.changes % every == 0 { return nil }
            if let client = message.client, let press = message.press {
                // An earlier press that has come late changes nothing any more.
                if press <= book.latest[client] ?? .min { return book.count }
                book.latest[client] = press
            }
            book.count = min(max(0, message.count), behaviour.limit)
            return book.count
        }
        return count.map(reply) ?? .init(503, "not now")
    }

    private func reply(_ count: Int) -> HTTPServer.Reply {
        guard let body = try? JSONEncoder().encode(CountMessage(count: count)) else { return .init(500, "no answer") }
        return .init(200, body)
    }
}

/// The program's own service, which may be stopped and started again where it was.
final class OwnService: Sendable {
    /// Where it is.
    let url: LoopbackURL
    private let service: CountService
    private let server: Mutex<HTTPServer?>

    /// Starts it.
    ///
    /// - Parameter port: Where; 0 for any port that is free.
    init(_ behaviour: CountService.Behaviour, port: UInt16) throws(SystemError) {
        let service = CountService(behaviour)
        let server = try HTTPServer(port: port, service.answer)
        self.service = service
        self.server = Mutex(server)
        url = LoopbackURL(port: server.port, path: "/count")
    }

    /// Starts or stops it.
    func set(isUp: Bool) throws(ServiceError) {
        do throws(SystemError) {
            let new = isUp ? try HTTPServer(port: url.port, service.answer) : nil
            server.withLock { $0 = new }
        } catch {
            throw ServiceError("cannot start the service: \(error)")
        }
    }
}
