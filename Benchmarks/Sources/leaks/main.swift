import CAllocations
import Foundation

// Checks for leaks: every operator with every kind of end, and loops. See the README of this package.
//
//     swift run -c release leaks
guard allocations_are_counted() else {
    print("Allocations cannot be counted on this system.")
    exit(0)
}
var check = LeakCheck()
for operation in operators() {
    for ending in Ending.allCases { check("\(operation.name), \(ending.rawValue)") { run(operation, to: ending) } }
}
loops(&check)
if !check.leaks.isEmpty {
    print(check.leaks.joined(separator: "\n"))
    exit(1)
}
print("nothing stays of \(check.checked) runs")
