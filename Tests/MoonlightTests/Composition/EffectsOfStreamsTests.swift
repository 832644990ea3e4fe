import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Effects from streams and async bodies")
struct EffectsOfStreamsTests {
    private struct Odd: Error {}

    private enum Event: Sendable {
        case stream([Int])
        case failing([Int])
        case body(Int)
        case throwing(Int)
        case ignoring(Int)
        case named(Int)
        case ready
        case cancel
    }

    private static let reducer = Reducer<[Int], Event, Int, @Sendable (Int) async throws -> Int>(
        transform: { state, event, work in
            switch event {
            case .stream(let values): return values.publisher.effects { $0 * 10 }
            case .failing(let values):
                return values.publisher
                    .tryMap { value throws(Odd) in if value % 2 == 1 { throw Odd() } else { value } }
                    .effects({ $0 * 10 }, catch: { _ in -1 })
            case .body(let number): return .run { (try? await work(number)) ?? 0 }
            case .throwing(let number):
                return .run {
                    try await work(number)
                } catch: {
                    $0 is Odd ? -1 : nil
                }
            case .ignoring(let number):
                return .run {
                    try await work(number)
                } catch: { _ in
                    nil
                }
            case .named(let number): return .run { send in send(number) }.job("work", .queue).prepend(1, 2).append(3)
            case .ready: return .just(1).append(2, 3).prepend(0).append(4)
            case .cancel:
                if state.isEmpty { throw Rejection("there is nothing") }
                return .cancelJob("work").append(8)
            }
        },
        apply: { $0.append($1) })

    private func applied(_ events: Event...) async -> [Int] {
        let store = Store(
            reducer: Self.reducer, initialState: [],
            environment: { number in
                if number % 2 == 1 { throw Odd() }
                return number * 100
            })
        for event in events { discard(await store.send(event)) }
        return store.state
    }

    @Test("Values of a stream become effects, and so does its failure")
    func streams() async {
        await expectEqual(applied(.stream([1, 2]), .failing([2, 3, 4])), [10, 20, 20, -1])
    }

    @Test("`run` with a body that returns a value sends it, or the result of `catch` for its error")
    func bodies() async {
        await expectEqual(
            applied(.body(2), .body(3), .throwing(4), .throwing(5), .ignoring(6), .ignoring(7)), [200, 0, 400, -1, 600])
    }

    @Test("Effects can be prepended and appended to a job, and appended to the cancellation of a job")
    func operators() async {
        await expectEqual(applied(.named(5), .cancel), [1, 2, 5, 3, 8])
        await expectEqual(applied(.cancel), [])
    }

    @Test("Ready effects stay ready when others are prepended or appended")
    func ready() async {
        await expectEqual(applied(.ready), [0, 1, 2, 3, 4])
        let stream: AnyPublisher<Int, Never> = .just(1).append(2).prepend(0)
        var values: [Int] = []
        discard(stream.sink { values.append($0) })
        expectEqual(values, [0, 1, 2])
    }
}
