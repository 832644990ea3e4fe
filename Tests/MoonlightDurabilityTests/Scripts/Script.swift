import MoonlightTestSupport

/// The inputs of a program.
struct Script: Sendable {
    enum Step: Sendable, Hashable {
        /// Events that are sent directly after each other.
        case send([DrawnProgram.Event])
        /// A millisecond passes; not more, since a store on another thread may set a timer only after all of it has passed.
        case advance
        /// The oldest pending call is answered.
        case answer
    }

    let steps: [Step]

    init(_ dice: inout Dice, for program: DrawnProgram, count: Int) {
        var number = 0
        steps = (0..<count).map { _ in
            switch dice.roll(6) {
            case 0, 3: return .advance
            case 1, 2: return .answer
            default:
                let events = (0...(program.yields ? 0 : dice.roll(3))).map { _ -> DrawnProgram.Event in
                    number += 1
                    switch dice.roll(10) {
                    case 0: return .addsPot(1 + dice.roll(2))
                    case 1: return .removesPot(1 + dice.roll(2))
                    case 2, 3, 4: return .pot(1 + dice.roll(2), kind: dice.roll(4), number: number)
                    default: return .own(kind: dice.roll(4), number: number)
                    }
                }
                return .send(events)
            }
        }
    }
}
