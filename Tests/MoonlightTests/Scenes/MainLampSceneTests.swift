import Dispatch
import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@MainActor @Suite("A MoonKit scene on the main actor")
struct MainLampSceneTests {
    @Test("The label shows the value of a dependency as soon as it arrives on the main actor")
    func answersLaterOnMain() {
        let time = VirtualTimeScheduler()
        let vc = MainLampScene.create(
            brightness: { Just(42).delay(for: .seconds(1), scheduler: time).eraseToAnyPublisher() },
            color: { Empty().eraseToAnyPublisher() })
        vc.button1.tap()
        expectEqual(vc.label.text, "")
        time.advance(by: .seconds(1))
        expectEqual(vc.label.text, "Brightness: 42")
    }

    @Test("The label is changed on the main actor if a dependency sends on a background queue")
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
        expectEqual(answered.all, [false])
        expectEqual(changed.all, [true])
        expectEqual(vc.label.text, "Brightness: 42")
    }

    @Test("The closures of the environment run on the main actor, wherever their publishers send")
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
        expectEqual(calls.all, [true, true])
    }
}
