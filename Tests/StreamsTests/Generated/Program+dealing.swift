import MoonlightTestSupport

extension Run {
    /// Generates a program and actions at random.
    init(_ dice: inout Dice) {
        var program = Program(&dice, depth: Int.random(in: 1...4, using: &dice))
        while !program.isModelled { program = Program(&dice, depth: Int.random(in: 1...4, using: &dice)) }
        self.program = program
        let moves = Int.random(in: 0...8, using: &dice)
        self.moves = (0..<moves).map { _ in Move(&dice) }
        demand = Bool.random(using: &dice) ? nil : Int.random(in: 0...2, using: &dice)
    }
}

extension Move {
    fileprivate init(_ dice: inout Dice) {
        let place = Int.random(in: 0..<subjectCount, using: &dice)
        switch Int.random(in: 0..<16, using: &dice) {
        case 0, 1: self = .finish(place)
        case 2: self = .fail(place)
        case 3: self = .cancel
        case 4, 5, 6: self = .request(Int.random(in: 1...3, using: &dice))
        default: self = .send(Int.random(in: 0...3, using: &dice), to: place)
        }
    }
}

extension Program {
    fileprivate init(_ dice: inout Dice, depth: Int) {
        let number = { (range: ClosedRange<Int>, dice: inout Dice) in Int.random(in: range, using: &dice) }
        switch depth == 0 ? 0 : number(0...9, &dice) {
        case 0:
            let values = (0..<number(0...3, &dice)).map { _ in number(0...3, &dice) }
            switch number(0...5, &dice) {
            case 0: self = .list(values)
            case 1: self = .failing(values)
            default: self = .subject(number(0...(subjectCount - 1), &dice))
            }
        case 1...4: self = .one(Unary(&dice), Program(&dice, depth: depth - 1))
        default:
            let binary = Binary.allCases.randomElement(using: &dice)!
            self = .two(binary, Program(&dice, depth: depth - 1), Program(&dice, depth: depth - 1))
        }
    }
}

extension Program.Unary {
    fileprivate init(_ dice: inout Dice) {
        let number = Int.random(in: 0...3, using: &dice)
        let all: [Self] = [
            .map(number), .filter(number), .scan, .removeDuplicates, .prefix(number), .dropFirst(number),
            .prefixWhile(number), .dropWhile(number), .first, .last, .count, .sum, .replaceError(number),
            .replaceEmpty(number), .retry, .flatMap(number), .oneByOne(number), .latest(number), .buffer, .ignoreOutput,
        ]
        self = all.randomElement(using: &dice)!
    }
}
