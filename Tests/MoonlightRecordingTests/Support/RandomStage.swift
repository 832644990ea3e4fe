/// The same sequence of numbers for the same seed.
struct Dice: RandomNumberGenerator {
    var state: UInt64
    init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

/// Plays a program at random: events, answers and time in any order.
func randomStage(seed: Int, steps: Int = 30, hasFeedback: Bool = false) -> Stage {
    let stage = Stage(hasFeedback: hasFeedback)
    var dice = Dice(seed)
    let words = ["mo", "moon", "light \"x\"", "ä\n", ""]
    for _ in 0..<steps {
        switch Int.random(in: 0..<14, using: &dice) {
        case 0: stage.send(.typed(words.randomElement(using: &dice) ?? ""))
        case 1, 2: stage.send(.search)
        case 3: stage.send(.stop)
        case 4: stage.send(.watch(words.randomElement(using: &dice) ?? ""))
        case 5: stage.send(.unwatch)
        case 6: stage.send(.remind(Int.random(in: 0...5, using: &dice)))
        case 7: stage.send(.stamp)
        case 8: stage.send(.note(words.randomElement(using: &dice) ?? "", count: Int.random(in: -1...3, using: &dice)))
        case 9, 10:
            guard !stage.waiting.isEmpty else { continue }
            let place = Int.random(in: stage.waiting.indices, using: &dice)
            let results: [Result<[String], Reason>] = [
                .success(["a", "b"]), .success([]), .failure(.offline), .failure(.busy(3)),
            ]
            stage.answer(at: place, results.randomElement(using: &dice) ?? .success([]))
        case 11:
            guard !stage.watched.isEmpty else { continue }
            let place = Int.random(in: stage.watched.indices, using: &dice)
            stage.price(Int.random(in: 0...(hasFeedback ? 150 : 9), using: &dice), of: place)
        case 12:
            guard !stage.watched.isEmpty else { continue }
            stage.endPrices(of: Int.random(in: stage.watched.indices, using: &dice))
        default: stage.pass(.milliseconds(Int.random(in: 1...4000, using: &dice)))
        }
    }
    return stage
}

/// Returns the inputs and calls of a trace, without the checks of a plan, and without changes, which have several correct
/// descriptions.
func happenings(_ trace: String) -> [String] {
    trace.split(separator: "\n").filter { !$0.hasPrefix("Then ") && !$0.contains(" → ") }
        .map { String($0).replacing(", which is rejected", with: "") }
}
