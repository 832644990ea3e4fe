// Runs what the other files hold, and fails if a part does not do what it should.

var failures = 0

func check<Value: Equatable>(_ what: String, _ actual: Value, _ expected: Value) {
    if actual != expected {
        print("\(what): expected \(expected), got \(actual)")
        failures += 1
    }
}

await checkStreams()
await checkMoonlight()
try checkTesting()
try checkFoundation()
if failures > 0 { fatalError("\(failures) failures") }
print("the public vocabulary is there and works")
