/// The content of a page: the state before the first step, and the steps with their changes.
///
/// It is independent of reducers and Swift values: it has only texts and trees for display.
package struct PageContent: Equatable, Sendable {
    /// A value in a page.
    package indirect enum Tree: Equatable, Sendable {
        /// A value without parts, as text.
        case leaf(String)
        /// A value with parts: its type, and the name and value of each part, in order. Names are distinct.
        case node(String, [(name: String, value: Tree)])

        package static func == (one: Tree, other: Tree) -> Bool {
            switch (one, other) {
            case (.leaf(let one), .leaf(let other)): one == other
            case (.node(let oneType, let one), .node(let otherType, let other)):
                oneType == otherType && one.count == other.count
                    && zip(one, other).allSatisfy { $0.name == $1.name && $0.value == $1.value }
            default: false
            }
        }
    }

    /// A part of the state that a step has changed.
    package struct Change: Equatable, Sendable {
        /// The names of the parts on the path, outermost first; empty for the whole state.
        package let path: [String]
        /// The new value; nil if the part was removed.
        package let value: Tree?

        package init(path: [String], value: Tree?) {
            self.path = path
            self.value = value
        }
    }

    /// The kind of a step. The first four are lanes of the page.
    package enum Kind: String, CaseIterable, Sendable {
        case event
        case effect
        case job
        case reaction
        /// An event that was rejected.
        case rejected
        /// An effect that was rejected.
        case effectRejected
        /// A call of the environment.
        case call
        /// An answer of the environment.
        case answer
        /// Another record, such as a blocked rule, a loss, or the end.
        case note
    }

    /// One step.
    package struct Step: Equatable, Sendable {
        package var number: Int
        package var kind: Kind
        /// The path of the child that it belongs to; nil for the root.
        package var child: String?
        package var text: String
        /// The number of the step that caused it; nil if it came from outside.
        package var cause: Int?
        /// The time since the recording began.
        package var time: Duration
        package var changes: [Change]

        package init(
            number: Int, kind: Kind, child: String? = nil, text: String, cause: Int? = nil, time: Duration = .zero,
            changes: [Change] = []
        ) {
            self.number = number
            self.kind = kind
            self.child = child
            self.text = text
            self.cause = cause
            self.time = time
            self.changes = changes
        }
    }

    /// The title of the page, for example the name of the loop.
    package var title: String
    /// The beginning of the recording, as text; nil if it is unknown.
    package var start: String?
    /// The state before the first step.
    package var state: Tree
    /// The steps, by ascending numbers.
    package var steps: [Step]

    package init(title: String, start: String? = nil, state: Tree, steps: [Step]) {
        self.title = title
        self.start = start
        self.state = state
        self.steps = steps
    }
}
