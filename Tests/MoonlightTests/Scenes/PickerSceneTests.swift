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

    @Test("The parent gets the result once, and the stream finishes")
    func result() {
        show()
        picker.taps.send(.mark(7))
        #expect(results.all == [])
        picker.taps.send(.confirm)
        #expect(results.all == [7])
        #expect(ends.value == 1)
    }

    @Test("The child is gone when its result has been taken")
    func dismissed() {
        show()
        picker.taps.send(.mark(7))
        picker.taps.send(.confirm)
        picker.taps.send(.mark(8))
        #expect(picker.marks.all == [nil, 7, 7], "the last one came with the result")
        #expect(picker.closings.value == 1)
    }

    @Test("A child that is dismissed without a result: the stream finishes without one")
    func noResult() {
        show()
        picker.taps.send(.mark(7))
        picker.dismiss()
        #expect(results.all == [])
        #expect(ends.value == 1)
    }

    @Test("A child that has picked before anybody asks for the result still hands it over")
    func pickedEarly() {
        let result = PickerScene.show(picker)
        picker.taps.send(.mark(7))
        picker.taps.send(.confirm)
        observers.keep(result.sink { [results] in results.append($0) })
        #expect(results.all == [7])
    }

    @Test("The result may be an effect of the parent's loop")
    func parentLoop() {
        let parent = WordLoop(transform: { [picker] _, word in
            guard word == "pick" else { return Just(word).eraseToAnyPublisher() }
            return PickerScene.show(picker).map { "picked \($0)" }.eraseToAnyPublisher()
        })
        parent.send("pick")
        parent.send("meanwhile")
        picker.taps.send(.mark(7))
        picker.taps.send(.confirm)
        #expect(parent.words == ["meanwhile", "picked 7"])
        parent.finish()
        #expect(parent.isFinished)
    }
}
