import PlainText

/// Values as Swift source: the expressions that create them.
package enum SwiftSource {
    /// Returns the source of a value.
    ///
    /// Structs are written with their memberwise initializer, enums by their case.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isTypeKnown: True if the compiler knows the type from the context, so that a case need not name its enum.
    package static func of(_ value: Any, isTypeKnown: Bool = true) -> String {
        // Casts to the protocols below take several times as long as the common cases.
        if type(of: value) == Int.self { return "\(value)" }
        if type(of: value) == String.self, let text = value as? String { return quoted(text) }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            guard let wrapped = mirror.children.first else { return "nil" }
            let text = of(wrapped.value, isTypeKnown: isTypeKnown)
            // These would be taken for a case of the outer optional.
            let isAmbiguous = text == "nil" || text.hasPrefix(".none") || text.hasPrefix(".some")
            return isAmbiguous ? ".some(\(text))" : text
        }
        switch value {
        case let text as any StringProtocol: return quoted(String(text))
        case let character as Character: return quoted(String(character))
        case let scalar as Unicode.Scalar: return quoted(String(scalar))
        case let number as Double where !number.isFinite: return name(of: number, isTypeKnown)
        case let number as Float where !number.isFinite: return name(of: Double(number), isTypeKnown)
        case is any BinaryInteger, is any BinaryFloatingPoint, is Bool: return "\(value)"
        case let duration as Duration: return source(of: duration)
        case let id as ObjectIdentifier: return "\(id)"
        default: break
        }
        if let source = known(value, mirror) { return source }
        switch mirror.displayStyle {
        case .collection: return "[\(mirror.children.map { of($0.value) }.joined(separator: ", "))]"
        // A set has no stable order: sorted, the source is the same each time.
        case .set: return "[\(mirror.children.map { of($0.value) }.sorted().joined(separator: ", "))]"
        case .dictionary:
            let pairs = mirror.children.map { pair in
                Mirror(reflecting: pair.value).children.map { of($0.value) }.joined(separator: ": ")
            }
            return pairs.isEmpty ? "[:]" : "[\(pairs.sorted().joined(separator: ", "))]"
        case .tuple: return arguments(mirror)
        case .enum:
            let type = isTypeKnown ? "" : typeName(value)
            guard let (label, payload) = mirror.children.first else { return "\(type).\(enumCase(of: value) ?? "\(value)")" }
            let inner = Mirror(reflecting: payload)
            // The payload of a generic case, such as that of a result, is one value even if it is a tuple.
            let isList = inner.displayStyle == .tuple && !inner.children.isEmpty && !(value is any OnePayload)
            let list = isList ? arguments(inner) : "(\(of(payload)))"
            return "\(type).\(label ?? "")\(list)"
        case .struct: return "\(typeName(value))\(arguments(mirror))"
        default: return "\(value)"
        }
    }

    /// Returns the source of a Foundation value, whose stored properties differ from its initializers' parameters; nil for
    /// any other.
    package static func known(_ value: Any, _ mirror: Mirror) -> String? {
        guard mirror.displayStyle == .struct else { return nil }
        switch String(reflecting: type(of: value)) {
        case "Foundation.Data", "FoundationEssentials.Data":
            guard let bytes = value as? any Sequence<UInt8> else { return nil }
            return "Data(base64Encoded: \"\(base64(Array(bytes)))\")!"
        case "Foundation.Date", "FoundationEssentials.Date":
            guard let seconds = mirror.descendant("_time") as? Double else { return nil }
            return "Date(timeIntervalSinceReferenceDate: \(seconds))"
        case "Foundation.URL", "FoundationEssentials.URL": return "URL(string: \(quoted("\(value)")))!"
        case "Foundation.UUID", "FoundationEssentials.UUID": return "UUID(uuidString: \(quoted("\(value)")))!"
        case "Foundation.Decimal", "FoundationEssentials.Decimal", "__C.NSDecimal":
            return "Decimal(string: \(quoted("\(value)")))!"
        default: return nil
        }
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for place in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - place)
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[place + $1]) : 0) }
            for digit in 0..<4 {
                text.append(digit > count ? UInt8(ascii: "=") : digits[bits >> (18 - 6 * digit) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the source of a function's arguments, given all of them as one value or tuple.
    package static func arguments(of input: Any) -> String {
        let mirror = Mirror(reflecting: input)
        return mirror.displayStyle == .tuple ? arguments(mirror) : "(\(of(input)))"
    }

    private static func arguments(_ mirror: Mirror) -> String {
        let list = mirror.children.map { label, value in
            // Mirrors number the elements of a tuple that have no label.
            guard let label, !label.hasPrefix(".") else { return of(value) }
            return "\(label): \(of(value))"
        }
        return "(\(list.joined(separator: ", ")))"
    }

    /// Returns the literal of a text. Invisible characters, and those that would combine with the character before, are
    /// escaped.
    package static func quoted(_ text: String) -> String {
        var (literal, wasEscaped) = ("\"", true)
        for scalar in text.unicodeScalars {
            let escape: String? =
                switch scalar {
                case "\\": "\\\\"
                case "\"": "\\\""
                case "\n": "\\n"
                case "\r": "\\r"
                case "\t": "\\t"
                default: isVisible(scalar, alone: wasEscaped) ? nil : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                }
            if let escape { literal += escape } else { literal.unicodeScalars.append(scalar) }
            wasEscaped = escape != nil
        }
        return literal + "\""
    }

    private static func isVisible(_ scalar: Unicode.Scalar, alone: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .nonspacingMark, .enclosingMark, .spacingMark: !alone
        case .spaceSeparator: scalar == " "
        default: true
        }
    }

    private static func name(of number: Double, _ isTypeKnown: Bool) -> String {
        let type = isTypeKnown ? "" : "Double"
        return number.isNaN ? "\(type).nan" : number < 0 ? "-\(type).infinity" : "\(type).infinity"
    }

    /// Returns the name of a type as its own module writes it: without modules and private contexts, also in type arguments.
    package static func typeName(_ value: Any) -> String {
        var (name, path, rest) = ("", "", Substring(String(reflecting: type(of: value))))
        func takePath() {
            // A path that begins with a point continues a type with arguments.
            if !path.hasPrefix("."), let point = path.firstIndex(of: ".") { path = String(path[point...].dropFirst()) }
            name += path
            path = ""
        }
        while let character = rest.first {
            if rest.hasPrefix("(unknown context at "), let end = rest.firstRange(of: ").") {
                rest = rest[end.upperBound...]
                continue
            }
            rest.removeFirst()
            if character == "." || character.isPartOfName {
                path.append(character)
            } else {
                takePath()
                name.append(character)
            }
        }
        takePath()
        return name
    }

    /// Returns the source of a duration, in the largest unit that needs no fraction.
    package static func source(of duration: Duration) -> String {
        // The seconds of a longer one overflow the `Int64` of `components` and the initializers.
        let longest = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
        if duration > longest || duration < .zero - longest {
            let (part, rest) = (source(of: duration / 32), duration - duration / 32 * 32)
            let product = (part.hasPrefix(".") ? "Duration" : "") + part + " * 32"
            return rest == .zero ? product : product + " + " + source(of: rest)
        }
        let (seconds, attoseconds) = duration.components
        if attoseconds == 0 { return ".seconds(\(seconds))" }
        let units: [(String, Int64)] = [
            ("milliseconds", 1_000_000_000_000_000), ("microseconds", 1_000_000_000_000), ("nanoseconds", 1_000_000_000),
        ]
        for (name, unit) in units where attoseconds % unit == 0 {
            let perSecond = 1_000_000_000_000_000_000 / unit
            let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: perSecond)
            let (sum, overflows) = product.addingReportingOverflow(attoseconds / unit)
            if !isTooLarge, !overflows { return ".\(name)(\(sum))" }
        }
        return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(attoseconds))"
    }
}

/// An enum whose cases have one payload each, of a type that may be a tuple.
private protocol OnePayload {}

extension Result: OnePayload {}
