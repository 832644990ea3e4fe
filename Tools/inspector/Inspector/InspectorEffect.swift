import MoonPresentation
import MoonlightRecording

/// What happens to the state.
package enum InspectorEffect: Equatable, Sendable {
    /// A step was selected. Where a jump began can be returned to.
    case selected(Int, isJump: Bool)
    case returned
    case looked(Look)
    case marked(Int?)
    case stayed(atEnd: Bool)

    case turned(Inspector.Pane)
    case part([String])
    case folded([String], isOpen: Bool)
    case change(Int)
    case cause(Int)

    case asked(Inspector.Question)
    case edited(TextEdit)
    case answered
    case searched(String)
    case reading(Reading?)
    case scrolled(Int)
    case help(Bool)

    case began(String)
    case searching(StepSearch)
    case ended
    case said(Inspector.Message?)
    case file(News)
}
