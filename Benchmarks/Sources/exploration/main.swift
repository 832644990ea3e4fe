import Foundation

// The speed and the memory of explorations: see the README of this package. The sizes are known, and compared.
//
//     swift run -c release exploration                  all models, each in a separate process
//     swift run -c release exploration "puzzle 3x3"     only models with these names, in this process
//     swift run -c release exploration --tabs NAME …    the same, for a program: Spin/compare
//     swift run -c release exploration --small          all but the largest
let large = [counters(limit: 54)]
let small = [puzzle(rows: 3, columns: 3), counters(limit: 32), puzzle(rows: 2, columns: 5), streams(count: 8), bodies(count: 7)]
let models = small + large
let arguments = CommandLine.arguments.dropFirst()
let names = arguments.filter { !$0.hasPrefix("--") }

if names.isEmpty {
    for model in arguments.contains("--small") ? small : models {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        child.arguments = arguments + [model.name]
        try child.run()
        child.waitUntilExit()
        if child.terminationStatus != 0 { exit(1) }
    }
} else {
    for name in names {
        guard let model = models.first(where: { $0.name == name }) else { fatalError("no model is called \(name)") }
        let measurement = try model.measure()
        print(arguments.contains("--tabs") ? measurement.tabbed : measurement.line)
    }
}
