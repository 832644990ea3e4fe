/// A field of a form.
public struct FormField<Name: Hashable & Sendable>: Sendable {
    let name: Name
    let label: String
    let placeholder: String
    let completions: [String]
    let isSecret: Bool

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The name of the field in the state.
    ///   - label: The label before the field.
    ///   - placeholder: The text that is shown while the field is empty.
    ///   - completions: Possible completions.
    ///   - isSecret: True to show a dot in place of each character.
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

/// Fields below one another, each with a label and an error message.
///
/// ```swift
/// Form(state.form, [FormField(.street, "Street"), FormField(.city, "City")], edit: Event.form, submit: .save)
/// ```
/// Its state is a ``FormState``, its events are ``FormEdit``s. Tab moves to the next field, Enter submits.
public struct Form<Name: Hashable & Sendable, Event: Sendable>: Widget {
    private let state: FormState<Name>
    private let fields: [FormField<Name>]
    private let edit: @Sendable (FormEdit<Name>) -> Event
    private let submit: Event?

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - state: The texts.
    ///   - fields: The fields, in order.
    ///   - edit: Returns the event of a command.
    ///   - submit: The event of Enter; nil to ignore Enter.
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
    func preferredSize(in room: Size) -> NaturalSize {
        NaturalSize(rows: fields.count + fields.reduce(0) { $0 + (state.problems[$1.name] == nil ? 0 : 1) })
    }

    /// Draws the fields.
    func paint(on surface: inout Surface<Event>) {
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
    package var name: Name
    /// The command for its text.
    package var edit: TextEdit

    /// Creates a command.
    public init(_ name: Name, _ edit: TextEdit) {
        self.name = name
        self.edit = edit
    }
}

/// The state of a ``Form``: the texts of its fields, and their error messages.
///
/// ```swift
/// enum Name { case street, city }
/// var form = FormState<Name>([.city: "Tallinn"])
/// ```
public struct FormState<Name: Hashable & Sendable>: Hashable, Sendable {
    private var inputs: [Name: TextInput]
    /// The error messages of fields.
    public var problems: [Name: String]

    /// Creates a state.
    ///
    /// - Parameter texts: The texts of fields. The others are empty.
    public init(_ texts: [Name: String] = [:]) {
        inputs = texts.mapValues { TextInput($0) }
        problems = [:]
    }

    /// The text of a field with its cursor.
    public subscript(name: Name) -> TextInput {
        get { inputs[name] ?? TextInput() }
        set { inputs[name] = newValue }
    }

    /// Applies a command. If the text changes, the field's error message is removed.
    public mutating func apply(_ edit: FormEdit<Name>) {
        let before = self[edit.name].text
        inputs[edit.name, default: TextInput()].apply(edit.edit)
        if self[edit.name].text != before { problems[edit.name] = nil }
    }

    /// Validates the fields.
    ///
    /// - Parameter rules: For each field, a function that returns the error message of a text, or nil.
    /// - Returns: True if no field has an error.
    public mutating func check(_ rules: [Name: (String) -> String?]) -> Bool {
        problems = [:]
        for (name, rule) in rules { problems[name] = rule(self[name].text) }
        return problems.isEmpty
    }
}
