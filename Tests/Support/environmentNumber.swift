import Foundation

/// A number that whoever runs the tests has set, as `make stress` does.
package func environmentNumber(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
