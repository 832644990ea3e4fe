import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Thousands of combined reducers")
struct ManyReducersTests {
    private typealias Numbered = Reducer<[Int], Int, Int, Void>

    /// One of many reducers: every hundredth has an effect, which is its number, and applies only its own effect.
    private func numbered(_ number: Int) -> Numbered {
        Numbered(
            transform: { _, _, _ in number % 100 == 0 ? .just(number) : .none },
            apply: { (state: inout [Int], effect: Int) in if effect == number { state.append(number) } })
    }

    @Test(
        "Thousands of reducers that are combined one by one, in either order, handle an event on a small stack",
        arguments: [true, false])
    func nested(isFromLeft: Bool) {
        let count = Budget.size(5_000, quick: 2_000)
        Worker(stackSize: 512 << 10) {
            var all = Numbered()
            for number in 0..<count {
                all = isFromLeft ? all.combined(with: numbered(number)) : numbered(count - 1 - number).combined(with: all)
            }
            let store = Store(reducer: all, initialState: [], environment: ())
            store.send(1)
            expectEqual(store.state, Array(stride(from: 0, to: count, by: 100)))
            store.cancel()
        }.wait()
    }
}
