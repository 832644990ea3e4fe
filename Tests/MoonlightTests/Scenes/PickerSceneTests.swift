import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("A child scene that returns a result")
struct PickerSceneTests {
    private let picker = Picker()
    private let observers = Keeper()
    private let results = Recorder<Int>()
    private let ends = Counter()

    private func show() {
        observers.keep(
            PickerScene.show(picker).sink(
                receiveCompletion: { [ends] _ in ends.add() },
                receiveValue: { [results] in results.append($0) }))
    }

    @Test("The parent receives the result of a child scene once, and the stream finishes")
    func result() {
        show()
        picker.taps.send(.mark(7))
        expectEqual(results.all, [])
        picker.taps.send(.confirm)
        expectEqual(results.all, [7])
        expectEqual(ends.value, 1)
    }

    @Test("The child scene is closed when it has its result, and ignores later taps")
    func dismissed() {
        show()
        picker.taps.send(.mark(7))
        picker.taps.send(.confirm)
        picker.taps.send(.mark(8))
        expectEqual(picker.marks.all, [nil, 7, 7], "the last one came with the result")
        expectEqual(picker.closings.value, 1)
    }

    @Test("The stream of a child scene that is dismissed finishes without a result")
    func noResult() {
        show()
        picker.taps.send(.mark(7))
        picker.dismiss()
        expectEqual(results.all, [])
        expectEqual(ends.value, 1)
    }

    @Test("The result of a child scene is delivered even if it is available before the parent subscribes")
    func pickedEarly() {
        let result = PickerScene.show(picker)
        picker.taps.send(.mark(7))
        picker.taps.send(.confirm)
        observers.keep(result.sink { [results] in results.append($0) })
        expectEqual(results.all, [7])
    }

    @Test("The result of a child scene can be an effect of its parent's loop")
    func parentLoop() {
        let parent = WordLoop(transform: { [picker] _, word in
            guard word == "pick" else { return Just(word).eraseToAnyPublisher() }
            return PickerScene.show(picker).map { "picked \($0)" }.eraseToAnyPublisher()
        })
        parent.send("pick")
        parent.send("meanwhile")
        picker.taps.send(.mark(7))
        picker.taps.send(.confirm)
        expectEqual(parent.words, ["meanwhile", "picked 7"])
        parent.finish()
        expect(parent.isFinished)
    }
}
