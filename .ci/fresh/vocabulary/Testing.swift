import Moonlight
import MoonlightTesting
import Streams

func checkTesting() throws {
    try Plan(lamp, given: Lamp(), environment: ())
        .when(.toggle)
        .then(\.isOn, equals: true)
        .when(.toggle)
        .then(\.uses, equals: 2)
        .run()
}
