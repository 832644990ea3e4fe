/// A control sequence that has been read: `ESC [`, parameters, and a byte that ends it.
struct ControlSequence {
    /// The character that marks a private sequence: `?`, `<`, `=` or `>`; 0 for none.
    let mark: UInt8
    /// The byte between the parameters and the end; 0 for none.
    let intermediate: UInt8
    /// The byte that ends it.
    let final: UInt8
    /// The parameters, each with the parts that colons separate. An empty part is nil.
    private let parameters: [[Int?]]

    /// Reads what stands between `ESC [` and the last byte.
    init(_ bytes: [UInt8], _ final: UInt8) {
        var rest = bytes[...]
        if let first = rest.first, (0x3C...0x3F).contains(first) {
            mark = first
            rest = rest.dropFirst()
        } else {
            mark = 0
        }
        if let last = rest.last, (0x20...0x2F).contains(last) {
            intermediate = last
            rest = rest.dropLast()
        } else {
            intermediate = 0
        }
        self.final = final
        parameters = rest.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { parameter in
            parameter.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Self.number)
        }
    }

    /// How many parameters there are; at least 1, which may be empty.
    var count: Int { parameters.count }

    /// A parameter, if it is there and not empty.
    func number(_ index: Int, part: Int = 0) -> Int? {
        guard parameters.indices.contains(index), parameters[index].indices.contains(part) else { return nil }
        return parameters[index][part]
    }

    /// All parts of a parameter that are not empty.
    func parts(_ index: Int) -> [Int] { parameters.indices.contains(index) ? parameters[index].compactMap(\.self) : [] }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty else { return nil }
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            // No number that means anything is that large.
            number = min(number * 10 + Int(digit - 0x30), 9_999_999)
        }
        return number
    }
}
