import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("A MoonKit scene without isolation")
struct LampSceneTests {
    @Test("The label shows the first state as soon as the scene is created")
    func firstState() {
        let vc = LampScene.create(
            brightness: { Empty().eraseToAnyPublisher() },
            color: { Empty().eraseToAnyPublisher() })
        expectEqual(vc.label.text, "")
    }

    @Test("The label shows the value of a synchronous dependency when the tap of the button returns")
    func synchronousDependencies() {
        let vc = LampScene.create(
            brightness: { Just(42).eraseToAnyPublisher() },
            color: { Just("amber").eraseToAnyPublisher() })
        vc.button1.tap()
        expectEqual(vc.label.text, "Brightness: 42")
        vc.button2.tap()
        expectEqual(vc.label.text, "Brightness: 42\nColor: amber")
    }

    @Test("The label shows the values of asynchronous dependencies when they arrive, in order")
    func asynchronousDependencies() {
        let time = VirtualTimeScheduler()
        let vc = LampScene.create(
            brightness: { Just(42).delay(for: .seconds(2), scheduler: time).eraseToAnyPublisher() },
            color: { Just("amber").delay(for: .seconds(1), scheduler: time).eraseToAnyPublisher() })
        vc.button1.tap()
        vc.button2.tap()
        expectEqual(vc.label.text, "")
        time.advance(by: .seconds(1))
        expectEqual(vc.label.text, "Color: amber")
        time.advance(by: .seconds(1))
        expectEqual(vc.label.text, "Color: amber\nBrightness: 42")
    }

    @Test("A dependency can be called many times; the state keeps the last lines")
    func lastLines() {
        var calls = 0
        let vc = LampScene.create(
            brightness: {
                calls += 1
                return Just(calls).eraseToAnyPublisher()
            },
            color: { Empty().eraseToAnyPublisher() })
        for _ in 1...5 { vc.button1.tap() }
        expectEqual(vc.label.text, "Brightness: 3\nBrightness: 4\nBrightness: 5")
    }

    @Test("A view controller that is released releases its loop and its label")
    func released() {
        let time = VirtualTimeScheduler()
        weak var released: LampViewController?
        weak var label: LampViewController.Label?
        do {
            let vc = LampScene.create(
                brightness: { Just(42).delay(for: .seconds(1), scheduler: time).eraseToAnyPublisher() },
                color: { Empty().eraseToAnyPublisher() })
            vc.button1.tap()
            (released, label) = (vc, vc.label)
            expect(label != nil)
        }
        expect(released == nil)
        expect(label == nil)
        time.run()
    }
}
