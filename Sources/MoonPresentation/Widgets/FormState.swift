/// What a user does with a form: a command for the text of one of its fields, which ``FormState/apply(_:)`` folds into the state.
public struct FormEdit<Name: Hashable & Sendable>: Hashable, Sendable {
    /// The field.
    public var name: Name
    /// What is done with its text.
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
    /// What is wrong with fields, in words for the user.
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
