/// A command line, taken apart piece by piece.
///
/// ```swift
/// var arguments = Arguments(words, of: "fetch")
/// while let argument = try arguments.next() {
///     switch argument {
///     case .option("--into"): folder = try arguments.value("a folder")
///     case .option("--at-once"): count = try arguments.number(in: 1...16)
///     case .operand(let source): sources.append(source)
///     case .option: throw arguments.unexpected()
///     }
/// }
/// ```
/// The value of an option follows it, or is attached to it by an equals sign. After `--` there are no more options.
public struct Arguments {
    /// A piece of the command line.
    public enum Argument: Equatable, Sendable {
        /// What begins with a dash, by its name.
        case option(String)
        /// Anything else; a lone dash, too.
        case operand(String)
    }

    private let program: String
    private var rest: ArraySlice<String>
    /// The piece that was taken last, as it was written, its name, and what is attached to it.
    private var written = ""
    private var name = ""
    private var attached: String?
    private var hasOptions = true

    /// A command line, without the name of the program.
    public init(_ words: [String], of program: String) { (rest, self.program) = (words[...], program) }

    /// The next piece; nil at the end.
    ///
    /// - Throws: A complaint if the one before it came with a value that nobody has taken.
    public mutating func next() throws(UserFacingError) -> Argument? {
        try requireNoValue()
        guard let word = rest.popFirst() else { return nil }
        if word == "--", hasOptions {
            hasOptions = false
            return try next()
        }
        (written, name) = (word, word)
        guard hasOptions, word.hasPrefix("-"), word != "-" else { return .operand(word) }
        if word.hasPrefix("--"), let sign = word.firstIndex(of: "=") {
            (name, attached) = (String(word[..<sign]), String(word[word.index(after: sign)...]))
        }
        return .option(name)
    }

    /// The value of the option that was taken last.
    ///
    /// - Parameter what: What it is called in the complaint if there is none: `a folder`.
    public mutating func value(_ what: String) throws(UserFacingError) -> String {
        guard let value = attached.take() ?? rest.popFirst(), !value.isEmpty else {
            throw wrong("\(name) needs \(what)")
        }
        return value
    }

    /// The value of the option that was taken last, as a number.
    public mutating func number<Number: FixedWidthInteger>(
        in range: ClosedRange<Number>
    ) throws(UserFacingError) -> Number {
        let text = try value("a number")
        guard let number = Number(text), range.contains(number) else {
            throw wrong("\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return number
    }

    /// Demands that the option that was taken last came without a value. To go on to the next piece demands it, too.
    public mutating func requireNoValue() throws(UserFacingError) {
        if attached.take() != nil { throw wrong("\(name) takes no value") }
    }

    /// A complaint about the piece that was taken last: it means nothing here.
    public func unexpected() -> UserFacingError {
        wrong(name.hasPrefix("-") && name != "-" ? "unknown option \(written)" : "unexpected argument \(written)")
    }

    /// A complaint about the command line.
    public func wrong(_ message: String) -> UserFacingError {
        UserFacingError(message: "\(message) (try \(program) --help)", exitCode: ExitCode.usage)
    }
}
