// The three ways in which terminals report the mouse.
extension InputParser {
    /// `ESC [ < button ; column ; row M`, or `m` for a release.
    static func mouse(_ sequence: ControlSequence, isReleased: Bool) -> Mouse? {
        guard sequence.count == 3, let button = sequence.number(0) else { return nil }
        return mouse(button, sequence.number(1), sequence.number(2), isReleased: isReleased)
    }

    /// `ESC [ button ; column ; row M`, with 32 added to the button.
    static func urxvtMouse(_ sequence: ControlSequence) -> Mouse? {
        guard sequence.count == 3, let button = sequence.number(0), button >= 32 else { return nil }
        return mouse(button - 32, sequence.number(1), sequence.number(2), isReleased: (button - 32) & 0b1100_0011 == 3)
    }

    /// Three bytes, with 32 added to each.
    static func oldMouse(_ bytes: [UInt8]) -> Mouse? {
        guard bytes.allSatisfy({ $0 >= 32 }) else { return nil }
        let button = Int(bytes[0]) - 32
        return mouse(button, Int(bytes[1]) - 32, Int(bytes[2]) - 32, isReleased: button & 0b1100_0011 == 3)
    }

    private static func mouse(_ bits: Int, _ column: Int?, _ row: Int?, isReleased: Bool) -> Mouse? {
        // Places outside of the window are reported while a button is held.
        guard let column, let row else { return nil }
        let point = Point(column: max(0, column - 1), row: max(0, row - 1))
        var modifiers: Key.Modifiers = []
        if bits & 4 != 0 { modifiers.insert(.shift) }
        if bits & 8 != 0 { modifiers.insert(.alt) }
        if bits & 16 != 0 { modifiers.insert(.control) }
        let low = bits & 3
        let action: Mouse.Action
        if bits & 64 != 0 {
            action = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight][low]
        } else {
            // The buttons beyond the third go back and forth.
            let button = bits & 128 != 0 ? 8 + low : low == 3 ? 0 : low + 1
            if bits & 32 != 0 {
                action = .move(button)
            } else {
                action = isReleased ? .release(button) : .press(button)
            }
        }
        return Mouse(action, at: point, modifiers)
    }
}
