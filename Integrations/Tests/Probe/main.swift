import Foundation

// Processes that tests start, stop and kill:
//   probe NAME SERVER…            an owner of the log NAME
//   probe machine NAME SERVER…    one of several machines of a fleet
//   probe check SERVER…           prints what is in the fleet's logs
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "machine": try await Machine.run(arguments[1], Array(arguments.dropFirst(2)))
case "check": try await Machine.check(Array(arguments.dropFirst()))
default: try await Owner.run(arguments[0], Array(arguments.dropFirst()))
}
