import Foundation

// What only an optimised program can show in reasonable time: see the README of this package.
//
//     swift run -c release limits                          everything but the soak
//     swift run -c release limits soak [SECONDS]           a loop that is fed for ten minutes
let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "soak" {
    soak(seconds: arguments.dropFirst().first.flatMap { Int($0) } ?? 600)
} else {
    longSequence()
    longChain()
    comingAndGoing()
    endlessFeedback()
}
say("all limits hold")
