// Runs the checks of the other files, and fails if one does.

enum Failures {
    // Sound: used by one task.
    nonisolated(unsafe) static var messages: [String] = []
}

func check<Value: Equatable>(_ what: String, _ actual: Value, _ expected: Value) {
    if actual != expected {
        Failures.messages.append("\(what): expected \(expected), got \(actual)")
    }
}

await checkStreams()
await checkMoonlight()
try checkTesting()
try vocabularyOfExploration()
try await checkDurability()
try await checkRecording()
try checkFoundation()
if !Failures.messages.isEmpty { fatalError("\n" + Failures.messages.joined(separator: "\n")) }
print("the public vocabulary is there and works")
