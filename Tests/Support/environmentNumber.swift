import Foundation

/// A number that whoever runs the tests has set, as `make stress` does.
package func environmentNumber(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

/// The seeds that a storm is played with: as `MOONLIGHT_SEED` and `MOONLIGHT_ROUNDS` say, or a few.
package let stormSeeds: Range<Int> = {
    let first = environmentNumber("MOONLIGHT_SEED") ?? 1
    return first..<first + (environmentNumber("MOONLIGHT_ROUNDS") ?? 60)
}()
