import Foundation

// Limits that only an optimized program can check in reasonable time: see the README of this package.
//
//     swift run -c release limits                          everything but the soak, with short floods
//     swift run -c release limits soak [SECONDS]           a loop that is fed and recorded for a minute
//     swift run -c release limits recordings               a recording of a million steps
//     swift run -c release limits fairness [SECONDS [TEXT]] a slow thread beside floods of ten seconds each
let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "soak" {
    soak(seconds: arguments.dropFirst().first.flatMap { Int($0) } ?? 60)
} else if arguments.first == "recordings" {
    boundedRecording()
    recordingOfDictionary()
    recordings()
} else if arguments.first == "fairness" {
    fairness(
        seconds: arguments.dropFirst().first.flatMap { Double($0) } ?? 10, only: arguments.dropFirst(2).first, isStrict: true)
} else {
    longSequence()
    longChain()
    deepErasures()
    comingAndGoing()
    endlessFeedback()
    boundedRecording()
    fairness(seconds: 0.25, isStrict: false)
}
say("all limits hold")
