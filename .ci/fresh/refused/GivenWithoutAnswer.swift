import Moonlight

// A given whose closure returns nothing would replace the match by `()`.
struct Basket: Equatable, Sendable { var items: [String] = [] }

@Sendable func check(_ items: [String]) throws {}

let rule = Rule("check")
    .when(.changing { (basket: Basket) in basket.items })
    .given { change in try check(change.to) }  // refused: cannot convert value of type '()' to closure result type 'Bool'
    .then { change in change.to.count }
