import Dispatch

/// Waits until a condition holds, by checking it repeatedly. A condition that never holds throws an error with the line. Use it
/// where nothing signals the change; where something can raise a ``Flag``, wait for that.
package func until(
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath, line: UInt = #line,
    _ condition: () async throws -> Bool
) async throws {
    var (looks, patience) = (0, Patience())
    while try await !condition() {
        looks += 1
        if looks < 1_000 {
            await Task.yield()
            continue
        }
        // A long wait yields the processors to the work that it waits for.
        await withCheckedContinuation { waiter in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { waiter.resume() }
        }
        if looks % 200 == 0, patience.isOver() { throw NeverHeld(place: SourceLine(path: file, line: line)) }
    }
}

/// The error for a condition that never became true.
package struct NeverHeld: Error, CustomStringConvertible {
    let place: SourceLine

    package var description: String { "A condition never held. \(place)" }
}
