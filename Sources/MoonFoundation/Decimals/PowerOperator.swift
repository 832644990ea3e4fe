/// The precedence of powers: higher than that of multiplication and shifts, and right-associative. `2 * 3 ** 2` is 18.
///
/// A prefix operator binds tighter still, as everywhere in Swift: `-2 ** 2` is `(-2) ** 2`, which is 4.
precedencegroup PowerPrecedence {
    higherThan: BitwiseShiftPrecedence
    associativity: right
}

/// Raises a number to a power.
infix operator ** : PowerPrecedence

/// Raises a number to a power in place.
infix operator **= : AssignmentPrecedence
