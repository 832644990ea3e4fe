import Moonlight

struct Shop: Equatable, Sendable {
    var count = 0
    var price = 1.5
    var name: String?
}

enum ShopEvent: Sendable {
    case count(Int)
    case name(String)
}

let tenGivens = Rule("ten givens")
    .when(.changing { (state: Shop) in state.count })
    .given("change 0") { $0.to > 0 && $0.from < 100 }
    .given("change 1") { $0.to > 1 && $0.from < 99 }
    .given("change 2") { $0.to > 2 && $0.from < 98 }
    .given("change 3") { $0.to > 3 && $0.from < 97 }
    .given("change 4") { $0.to > 4 && $0.from < 96 }
    .given("change 5") { $0.to > 5 && $0.from < 95 }
    .given("change 6") { $0.to > 6 && $0.from < 94 }
    .given("change 7") { $0.to > 7 && $0.from < 93 }
    .given("change 8") { $0.to > 8 && $0.from < 92 }
    .given("change 9") { $0.to > 9 && $0.from < 91 }
    .then { ShopEvent.count($0.to * 2 + 1) }

let tenGivensWithoutTexts = Rule("ten givens")
    .when(.changing { (state: Shop) in state.count })
    .given { $0.to > $0.from }
    .given { $0.to - $0.from > 1 }
    .given { $0.to < 10 && $0.from > 2 }
    .given { $0.to != 3 && $0.from + 3 > 0 }
    .given { $0.to != 4 && $0.from + 4 > 0 }
    .given { $0.to != 5 && $0.from + 5 > 0 }
    .given { $0.to != 6 && $0.from + 6 > 0 }
    .given { $0.to != 7 && $0.from + 7 > 0 }
    .given { $0.to != 8 && $0.from + 8 > 0 }
    .given { $0.to != 9 && $0.from + 9 > 0 }
    .thenAll { [ShopEvent.count($0.to + 1), .count($0.from - 1)] }

// Numbers of several types multiply the overloads that the compiler tries, unless the closures name their types.
let tenGivensWithTypes = Rule("ten givens")
    .when(.becoming { (shop: Shop) in shop.count > 0 && shop.price > 1 })
    .given { (shop: Shop) in shop.price * 2 > 0 && shop.count < 100 && shop.count > 0 }
    .given { (shop: Shop) in shop.price * 2 > 1 && shop.count < 100 && shop.count > 1 }
    .given { (shop: Shop) in shop.price * 2 > 2 && shop.count < 100 && shop.count > 2 }
    .given { (shop: Shop) in shop.price * 2 > 3 && shop.count < 100 && shop.count > 3 }
    .given { (shop: Shop) in shop.price * 2 > 4 && shop.count < 100 && shop.count > 4 }
    .given { (shop: Shop) in shop.price * 2 > 5 && shop.count < 100 && shop.count > 5 }
    .given { (shop: Shop) in shop.price * 2 > 6 && shop.count < 100 && shop.count > 6 }
    .given { (shop: Shop) in shop.price * 2 > 7 && shop.count < 100 && shop.count > 7 }
    .given { (shop: Shop) in shop.price * 2 > 8 && shop.count < 100 && shop.count > 8 }
    .given { (shop: Shop) in shop.price * 2 > 9 && shop.count < 100 && shop.count > 9 }
    .then { (shop: Shop) in ShopEvent.count(shop.count * 2 + 1) }

let tenMaps = Rule("ten maps")
    .when(.appearing { (state: Shop) in state.name })
    .compactMap { $0.isEmpty ? nil : $0 + "!" }
    .compactMap { $0.isEmpty ? nil : $0 + "!" }
    .compactMap { $0.isEmpty ? nil : $0 + "!" }
    .compactMap { $0.isEmpty ? nil : $0 + "!" }
    .compactMap { $0.isEmpty ? nil : $0 + "!" }
    .compactMap { $0.isEmpty ? nil : $0 + "!" }
    .compactMap { $0.isEmpty ? nil : $0 + "!" }
    .compactMap { $0.isEmpty ? nil : $0 + "!" }
    .compactMap { $0.isEmpty ? nil : $0 + "!" }
    .compactMap { $0.isEmpty ? nil : $0 + "!" }
    .then { ShopEvent.name($0 + ".") }

let tenRules: [Rule.Complete<Shop, ShopEvent>] = [
    Rule("0").when(.changing { (state: Shop) in state.count }).given { $0.to > 0 }.then { .count($0.to + 0) },
    Rule("1").when(.changing { (state: Shop) in state.count }).given { $0.to > 1 }.then { .count($0.to + 1) },
    Rule("2").when(.changing { (state: Shop) in state.count }).given { $0.to > 2 }.then { .count($0.to + 2) },
    Rule("3").when(.changing { (state: Shop) in state.count }).given { $0.to > 3 }.then { .count($0.to + 3) },
    Rule("4").when(.changing { (state: Shop) in state.count }).given { $0.to > 4 }.then { .count($0.to + 4) },
    Rule("5").when(.changing { (state: Shop) in state.count }).given { $0.to > 5 }.then { .count($0.to + 5) },
    Rule("6").when(.changing { (state: Shop) in state.count }).given { $0.to > 6 }.then { .count($0.to + 6) },
    Rule("7").when(.changing { (state: Shop) in state.count }).given { $0.to > 7 }.then { .count($0.to + 7) },
    Rule("8").when(.changing { (state: Shop) in state.count }).given { $0.to > 8 }.then { .count($0.to + 8) },
    Rule("9").when(.changing { (state: Shop) in state.count }).given { $0.to > 9 }.then { .count($0.to + 9) },
]
