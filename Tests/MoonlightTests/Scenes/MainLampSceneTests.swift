import Dispatch
import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@MainActor @Suite("A MoonKit scene on the main actor")
struct MainLampSceneTests {
    @Test("The label shows the first state as soon as the scene is created")
    func firstState() {
        let vc = MainLampScene.create(
            brightness: { Empty().eraseToAnyPublisher() },
            color: { Empty().eraseToAnyPublisher() })
        #expect(vc.label.text == "")
    }

    @Test("Dependencies that answer at once show when the button's tap returns")
    func synchronousDependencies() {
        let vc = MainLampScene.create(
            brightness: { Just(42).eraseToAnyPublisher() },
            color: { Just("amber").eraseToAnyPublisher() })
        vc.button1.tap()
        #expect(vc.label.text == "Brightness: 42")
        vc.button2.tap()
        #expect(vc.label.text == "Brightness: 42\nColor: amber")
    }

    @Test("A dependency that answers later on the main actor shows at that moment")
    func answersLaterOnMain() {
        let time = VirtualTimeScheduler()
        let vc = MainLampScene.create(
            brightness: { Just(42).delay(for: .seconds(1), scheduler: time).eraseToAnyPublisher() },
            color: { Empty().eraseToAnyPublisher() })
        vc.button1.tap()
        #expect(vc.label.text == "")
        time.advance(by: .seconds(1))
        #expect(vc.label.text == "Brightness: 42")
    }

    @Test("A dependency that answers on a background queue changes the label on the main actor")
    func answersInTheBackground() async {
        let (answered, changed) = (Recorder<Bool>(), Recorder<Bool>())
        let background = DispatchQueue(label: "background")
        let vc = MainLampScene.create(
            brightness: {
                Just(42)
                    .receive(on: background)
                    .handleEvents(receiveOutput: { _ in answered.append(MainPlace.isHere) })
                    .eraseToAnyPublisher()
            },
            color: { Empty().eraseToAnyPublisher() })
        await withCheckedContinuation { shown in
            vc.label.textDidChange = { _ in
                changed.append(MainPlace.isHere)
                shown.resume()
            }
            vc.button1.tap()
        }
        #expect(answered.all == [false])
        #expect(changed.all == [true])
        #expect(vc.label.text == "Brightness: 42")
    }

    @Test("The environment's own closures run on the main actor, whoever answers where")
    func environmentStays() async {
        let calls = Recorder<Bool>()
        let background = DispatchQueue(label: "background")
        let vc = MainLampScene.create(
            brightness: {
                calls.append(MainPlace.isHere)
                return Just(42).receive(on: background).eraseToAnyPublisher()
            },
            color: {
                calls.append(MainPlace.isHere)
                return Just("amber").receive(on: background).eraseToAnyPublisher()
            })
        await withCheckedContinuation { shown in
            vc.label.textDidChange = { text in if text.contains("42"), text.contains("amber") { shown.resume() } }
            vc.button1.tap()
            vc.button2.tap()
        }
        #expect(calls.all == [true, true])
    }
}
