/// What a page shows: the state before the first step, and the steps with what each changed.
///
/// It knows nothing of reducers and of values in Swift: texts and trees only, as they are to be read.
package struct PageContent: Equatable, Sendable {
    /// A value as a page shows it.
    package indirect enum Tree: Equatable, Sendable {
        /// A value without parts, as text.
        case leaf(String)
        /// A value with parts: its type, and the name and value of each part, in their order. No two have the same name.
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
        /// The names of the parts that lead to it, outermost first; empty for the whole state.
        package let path: [String]
        /// What is there now; nil if it is gone.
        package let value: Tree?

        package init(path: [String], value: Tree?) {
            self.path = path
            self.value = value
        }
    }

    /// What a step is. The first four are lanes of the page.
    package enum Kind: String, CaseIterable, Sendable {
        case event
        case effect
        case job
        case reaction
        /// An event that was rejected.
        case rejected
        /// An effect that was rejected.
        case effectRejected
        /// The world was asked something.
        case call
        /// The world answered.
        case answer
        /// Something else, such as a rule that was kept from firing, a loss, or the end.
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

    /// What the page is called, for example the name of the loop.
    package var title: String
    /// When the recording began, in words; nil if that is not known.
    package var start: String?
    /// The state before the first step.
    package var state: Tree
    /// The steps; their numbers grow.
    package var steps: [Step]

    package init(title: String, start: String? = nil, state: Tree, steps: [Step]) {
        self.title = title
        self.start = start
        self.state = state
        self.steps = steps
    }
}
