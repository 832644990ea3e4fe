import MoonPresentation

extension TextInput: ExpressibleByStringLiteral {
    /// Creates a text with the cursor behind it, so that tests can list many of them.
    public init(stringLiteral text: String) { self.init(text) }
}
