import SampleLoopback
import SampleSupport
import Streams
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension CounterEnvironment {
    /// Asks a service over HTTP.
    ///
    /// - Parameters:
    ///   - url: Where the count is.
    ///   - service: The program's own service, if it has one.
    static func live(url: LoopbackURL, service: OwnService?) -> CounterEnvironment {
        let client = UInt64.random(in: 0 ... .max)
        let presses = Counting()
        return CounterEnvironment(
            post: { count in
                // Numbered when it is made, in the order of the presses.
                let message = CountMessage(count: count, client: client, press: presses.next())
                return .run { send throws(ServiceError) in
                    // Who presses on replaces this one: then there was no need to ask.
                    do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
                    send(try await exchange("POST", url, message))
                }
            },
            load: { .run { send throws(ServiceError) in send(try await exchange("GET", url, nil)) } },
            setServiceUp: { isUp in
                .run { send throws(ServiceError) in
                    try service?.set(isUp: isUp)
                    send(isUp)
                }
            })
    }

    private static func exchange(
        _ method: String, _ url: LoopbackURL, _ message: CountMessage?
    ) async throws(ServiceError) -> Int {
        let body: [UInt8]
        do { body = try message.map { Array(try JSONEncoder().encode($0)) } ?? [] } catch {
            throw ServiceError("cannot say the count: \(error)")
        }
        let answer: [UInt8]
        do throws(HTTPError) {
            answer = try await offload { stop throws(HTTPError) in
                try HTTPAnswer(to: HTTPRequest(method, url, body: body), stop: stop).all()
            }
        } catch {
            throw ServiceError(error.description)
        }
        guard let count = (try? JSONDecoder().decode(CountMessage.self, from: Data(answer)))?.count else {
            throw ServiceError("the answer is no count")
        }
        return count
    }
}

/// Numbers, one after the other.
private final class Counting: Sendable {
    private let last = Atomic(0)
    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
