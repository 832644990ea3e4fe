import MoonPresentation
import MoonlightRecording

/// The state of the program that looks at a recording.
package struct Inspector: Equatable, Sendable {
    /// A part of the screen.
    package enum Pane: Int, CaseIterable, Sendable {
        case steps
        case state
        case difference
        case cause
    }

    /// What the user is asked for at the bottom.
    package enum Question: Hashable, Sendable {
        case search
        case step
        case predicate
    }

    /// What the keys are for at the moment.
    package enum Place: Hashable, Sendable {
        case pane(Pane)
        case prompt
        case reading
        case help
    }

    /// What is shown at the bottom until the next key.
    package struct Message: Equatable, Sendable {
        package var text: String
        package var isError = false

        package init(_ text: String, isError: Bool = false) {
            self.text = text
            self.isError = isError
        }
    }

    package var steps: Steps
    /// The number of the selected step; 0 if there are no steps.
    package var selected: Int
    /// The step with which the selected one is compared.
    package var mark: Int?
    /// What is known of the selected step; that of an earlier one until it is there.
    package var look: Look?
    /// Where jumps began, the last one at the end.
    package var trail: [Int] = []

    package var pane = Pane.steps
    /// The pane that is shown below the steps where there is room for two.
    package var side = Pane.state
    /// The state of the look as rows, and the part that is selected.
    package var rows = StateRows()
    package var part: [String] = []
    /// What the user has opened and closed in the state.
    package var folding: [[String]: Bool] = [:]
    /// The selected rows of the difference and of the causes.
    package var change = 0
    package var cause = 0

    package var question: Question?
    package var input = TextInput()
    /// What was searched for last; empty if nothing was.
    package var pattern = ""
    package var reading: Reading?
    package var isHelpShown = false
    /// What is being done, for example a search; nil if nothing is.
    package var work: String?
    /// The search that is under way.
    package var search: StepSearch?
    package var message: Message?

    /// Whether the file is looked at again and again.
    package let isFollowing: Bool
    /// Whether the selection stays at the end when steps are added.
    package var staysAtEnd: Bool
    /// What is wrong with the file since it was read last; nil if nothing is.
    package var trouble: String?

    /// Creates the state before anything was looked at.
    ///
    /// - Parameters:
    ///   - steps: The recording.
    ///   - isFollowing: Whether it grows, so that its end is of interest.
    package init(_ steps: Steps, isFollowing: Bool = false) {
        self.steps = steps
        self.isFollowing = isFollowing
        staysAtEnd = isFollowing
        selected = steps.number(at: isFollowing ? steps.count - 1 : 0)
    }

    /// What keys mean at the moment.
    package var place: Place {
        if isHelpShown { return .help }
        if question != nil { return .prompt }
        return reading == nil ? .pane(pane) : .reading
    }

    /// The question whose answer is a look at the selected step; nil if there are no steps.
    var lookQuestion: Look.Question? {
        steps.isEmpty ? nil : Look.Question(steps: steps, number: selected, mark: mark == selected ? nil : mark)
    }
}
