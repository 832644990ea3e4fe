// Runs what the other files hold, and fails if a part does not do what it should.

enum Failures {
    // Sound: used by one task.
    nonisolated(unsafe) static var count = 0
}

func check<Value: Equatable>(_ what: String, _ actual: Value, _ expected: Value) {
    if actual != expected {
        print("\(what): expected \(expected), got \(actual)")
        Failures.count += 1
    }
}

await checkStreams()
await checkMoonlight()
try checkTesting()
try vocabularyOfExploration()
try await checkDurability()
try await checkRecording()
try checkFoundation()
if Failures.count > 0 { fatalError("\(Failures.count) failures") }
print("the public vocabulary is there and works")
