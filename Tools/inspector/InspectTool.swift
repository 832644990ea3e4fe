import MoonPresentation
import Moonlight
import MoonlightRecording

/// What `moonlight inspect` does.
package struct InspectTool {
    /// The command, for the usage.
    package static let usage = "       moonlight inspect FILE [--follow]"

    /// What the command does.
    package static let help = """
        inspect shows a recording in the terminal: its steps, and of the selected one the state, what it changed, and what led to it.
        ? shows the keys. With --follow, the file is read on while a program writes it by Recording.follow(in:).
        """

    private let complain: (String) -> Void

    /// Creates the tool.
    ///
    /// - Parameter complain: Takes each error, a line each.
    package init(complain: @escaping (String) -> Void) { self.complain = complain }

    /// Runs a command, until the user has enough.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, the first of which is `inspect`.
    ///   - terminal: Where the recording is shown.
    /// - Returns: The exit code.
    @available(*, noasync, message: "It blocks its thread.")
    package func run(_ arguments: [String], on terminal: Terminal = .standard) -> Int32 {
        let rest = arguments.dropFirst()
        let files = rest.filter { $0 != "--follow" }
        guard arguments.first == "inspect", files.count == 1, rest.count - files.count < 2, let file = files.first,
            !file.hasPrefix("--")
        else {
            complain("usage: \(Self.usage.drop { $0 == " " })")
            return RecordingTool.Code.usage
        }
        do {
            let follower = rest.contains("--follow") ? try RecordingFollower(file) : nil
            let reader = try follower?.opened ?? RecordingReader(contentsOf: file)
            guard terminal.canShow else {
                complain("inspect needs a terminal; moonlight steps, state, diff, cause and find print what it shows")
                return RecordingTool.Code.bad
            }
            let program = Inspector(Steps(reader), isFollowing: follower != nil)
                .program(title: "moonlight inspect \(file)", follower.map { .following($0) } ?? .live())
            return try program.run(on: terminal).exitCode
        } catch {
            complain("\(error)".escapingControls)
            return RecordingTool.Code.bad
        }
    }
}
