import Foundation

/// The number of repetitions in tests that repeat something: rounds, generated programs, crashes, storms, depths, oracles.
///
/// `swift test` is the quick tier and runs a twentieth, with a new seed in each run. `MOONLIGHT_EXHAUSTIVE=1 swift test` runs
/// everything, and a larger number multiplies it: `MOONLIGHT_EXHAUSTIVE=10` runs ten times as much.
package enum Budget {
    /// The requested multiple of the exhaustive tier; 0 in the quick tier.
    private static let multiple = environmentNumber("MOONLIGHT_EXHAUSTIVE").map { max(0, $0) } ?? 0

    /// Indicates whether the exhaustive tier runs.
    package static let isExhaustive = multiple > 0

    /// The first seed of all random choices: `MOONLIGHT_SEED`, or a new one in each run. It is printed once.
    package static let seed: Int = {
        let seed = environmentNumber("MOONLIGHT_SEED") ?? Int.random(in: 1..<1_000_000)
        print("MOONLIGHT_SEED=\(seed)")
        return seed
    }()

    /// The number of rounds to play.
    ///
    /// - Parameters:
    ///   - exhaustive: The number in the exhaustive tier.
    ///   - least: The number that the quick tier plays at least.
    package static func rounds(_ exhaustive: Int, least: Int = 1) -> Int {
        isExhaustive ? exhaustive * multiple : min(exhaustive, max(least, exhaustive / 20))
    }

    /// The size of what grows with its depth, length or number, and is not repeated.
    ///
    /// - Parameters:
    ///   - exhaustive: The size in the exhaustive tier.
    ///   - quick: The size in the quick tier.
    package static func size(_ exhaustive: Int, quick: Int) -> Int { isExhaustive ? exhaustive : quick }

    /// The seeds of the rounds to play: ``rounds(_:least:)`` of them, from ``seed`` on.
    package static func seeds(_ exhaustive: Int, least: Int = 1) -> Range<Int> {
        seed..<seed + rounds(exhaustive, least: least)
    }

    /// A twentieth of a list in the quick tier: see ``sample(_:quick:for:)``.
    package static func sample<Element>(_ all: [Element], least: Int = 1) -> [Element] {
        sample(all, quick: max(least, all.count / 20))
    }

    /// Returns the whole list in the exhaustive tier; otherwise one element from each of `quick` equal parts, drawn by ``seed``
    /// and a name. A fixed distance would not do: lists of scripts are products, and a distance that shares a factor with one of
    /// them would omit half of it.
    ///
    /// - Parameters:
    ///   - all: The list, whose order is kept.
    ///   - quick: The number of elements in the quick tier.
    ///   - name: The purpose of the sample; samples of other names draw other elements.
    package static func sample<Element>(_ all: [Element], quick: Int, for name: String = "") -> [Element] {
        let count = min(all.count, size(all.count, quick: quick))
        guard count < all.count else { return all }
        var dice = Dice(seed: name.utf8.reduce(seed) { $0 &* 31 &+ Int($1) })
        return (0..<count).map { part in
            let start = part * all.count / count
            let end = (part + 1) * all.count / count
            return all[start + dice.roll(end - start)]
        }
    }
}
