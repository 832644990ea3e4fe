/// A field of a form: what it is called, and how it looks.
public struct FormField<Name: Hashable & Sendable>: Sendable {
    let name: Name
    let label: String
    let placeholder: String
    let completions: [String]
    let isSecret: Bool

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: What it is called in the state.
    ///   - label: What stands before it.
    ///   - placeholder: What is shown while there is no text.
    ///   - completions: Texts to which it may be completed.
    ///   - isSecret: Whether a dot is shown in place of each character.
    public init(
        _ name: Name, _ label: String, placeholder: String = "", completions: [String] = [], isSecret: Bool = false
    ) {
        self.name = name
        self.label = label
        self.placeholder = placeholder
        self.completions = completions
        self.isSecret = isSecret
    }
}

/// Fields below each other, with labels before them, and below each what is wrong with it.
///
/// ```swift
/// Form(state.form, [FormField(.street, "Street"), FormField(.city, "City")], edit: Event.form, submit: .save)
/// ```
/// Its state is a ``FormState``, its events are ``FormEdit``s. Tab leads to the next field, Enter submits.
public struct Form<Name: Hashable & Sendable, Event: Sendable>: View {
    private let state: FormState<Name>
    private let fields: [FormField<Name>]
    private let edit: @Sendable (FormEdit<Name>) -> Event
    private let submit: Event?

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - state: The texts.
    ///   - fields: The fields, in order.
    ///   - edit: The event of a command.
    ///   - submit: The event of Enter; nil if Enter is not wanted.
    public init(
        _ state: FormState<Name>, _ fields: [FormField<Name>], edit: @escaping @Sendable (FormEdit<Name>) -> Event,
        submit: Event? = nil
    ) {
        self.state = state
        self.fields = fields
        self.edit = edit
        self.submit = submit
    }

    /// A row for each field, and one for each problem.
    public func naturalSize(in room: Size) -> NaturalSize {
        NaturalSize(rows: fields.count + fields.reduce(0) { $0 + (state.problems[$1.name] == nil ? 0 : 1) })
    }

    /// Draws the fields.
    public func draw(on surface: inout Surface<Event>) {
        let widest = fields.reduce(0) { max($0, $1.label.columns) }
        let start = min(widest + 1, surface.size.columns / 2)
        let width = max(0, surface.size.columns - start)
        var row = 0
        for field in fields {
            surface.write(
                StyledText(field.label, .dim).truncated(to: max(0, start - 1)), at: Point(column: 0, row: row))
            let edit = edit
            surface.add(
                Field(
                    state[field.name], placeholder: field.placeholder, completions: field.completions, isSecret: field.isSecret,
                    edit: { edit(FormEdit(field.name, $0)) }, submit: submit
                ).id(field.name),
                in: Rect(column: start, row: row, columns: width, rows: 1))
            row += 1
            guard let problem = state.problems[field.name] else { continue }
            surface.write(
                StyledText(problem, Style(foreground: .red)).truncated(to: width), at: Point(column: start, row: row))
            row += 1
        }
    }
}

/// A command for the text of one field of a form, which ``FormState/apply(_:)`` folds into the state.
public struct FormEdit<Name: Hashable & Sendable>: Hashable, Sendable {
    /// The field.
    public var name: Name
    /// The command for its text.
    public var edit: TextEdit

    /// Creates a command.
    public init(_ name: Name, _ edit: TextEdit) {
        self.name = name
        self.edit = edit
    }
}

/// The state of a ``Form``: the texts of its fields, and what is wrong with them.
///
/// ```swift
/// enum Name { case street, city }
/// var form = FormState<Name>([.city: "Tallinn"])
/// ```
public struct FormState<Name: Hashable & Sendable>: Hashable, Sendable {
    private var inputs: [Name: TextInput]
    /// The problems of fields, in words for the user.
    public var problems: [Name: String]

    /// Creates a form.
    ///
    /// - Parameter texts: The texts of fields. The others are empty.
    public init(_ texts: [Name: String] = [:]) {
        inputs = texts.mapValues { TextInput($0) }
        problems = [:]
    }

    /// The text of a field, with its cursor.
    public subscript(name: Name) -> TextInput {
        get { inputs[name] ?? TextInput() }
        set { inputs[name] = newValue }
    }

    /// Does what a command asks for. If that changes the text, it is no longer known what is wrong with it.
    public mutating func apply(_ edit: FormEdit<Name>) {
        let before = self[edit.name].text
        inputs[edit.name, default: TextInput()].apply(edit.edit)
        if self[edit.name].text != before { problems[edit.name] = nil }
    }

    /// Finds out what is wrong with fields.
    ///
    /// - Parameter rules: For each field, what is wrong with a text; nil if nothing is.
    /// - Returns: Whether nothing is wrong with any field.
    public mutating func check(_ rules: [Name: (String) -> String?]) -> Bool {
        problems = [:]
        for (name, rule) in rules { problems[name] = rule(self[name].text) }
        return problems.isEmpty
    }
}
