import MoonPresentation
import MoonlightRecording

/// What the user, or the file, asks for. What it leads to is decided with the state of that moment.
package enum InspectorEvent: Equatable, Sendable {
    /// Moves the selection of the pane that has the focus, or the text that is read.
    case move(ListMove)
    case open
    case fold(TreeFold)
    case toCause
    case toConsequence
    case back
    /// Goes to the next pane, or to the one before.
    case turn(by: Int)
    case mark
    case ask(Inspector.Question)
    case edit(TextEdit)
    case submit
    case again(isForward: Bool)
    case followEnd
    case read(ReadingKind)
    case help
    /// Ends what is in the way: help, a question, a text, work.
    case cancel
    /// The answer to what the selected step looks like.
    case looked(Look)
    /// It cannot be looked at.
    case failed(String)
    /// Something is new in the file.
    case news(News)

    package enum TreeFold: Equatable, Sendable {
        case open
        case close
        case toggle
    }
    package enum ReadingKind: Equatable, Sendable {
        case story
        case plan
    }
}

/// What a look at a file that grows has found.
package enum News: Equatable, Sendable {
    /// Steps were added.
    case grown(Steps)
    /// Another recording is there.
    case anew(Steps)
    /// The file cannot be read.
    case trouble(String)
    /// It can be read again, and has not changed.
    case well
}
