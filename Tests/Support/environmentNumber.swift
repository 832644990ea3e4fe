import Foundation

/// A number that whoever runs the tests has set.
package func environmentNumber(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
