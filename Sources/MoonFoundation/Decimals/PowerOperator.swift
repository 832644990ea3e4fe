/// Powers bind tighter than multiplication and shifts, and group from the right: `2 * 3 ** 2` is 18.
///
/// A prefix binds tighter still, as everywhere in Swift: `-2 ** 2` is `(-2) ** 2`, which is 4.
precedencegroup PowerPrecedence {
    higherThan: BitwiseShiftPrecedence
    associativity: right
}

/// To the power of.
infix operator ** : PowerPrecedence

/// Raises to the power of, in place.
infix operator **= : AssignmentPrecedence
