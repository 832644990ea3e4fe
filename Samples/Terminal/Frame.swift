/// What to write to a terminal to show rows in place of what it showed before.
///
/// Every row is placed by its number and cleared before it is written, and a row that the terminal takes to be wider than
/// the window is cut there, not wrapped: so a frame is right whatever was on the screen, whatever the width, and even where
/// the terminal counts a character's columns in another way.
struct Frame {
    let rows: [Row]
    let size: Size
    let styled: Bool

    /// Switches to the alternate screen, which leaves what was there to come back, and hides the cursor.
    static let enter: StaticString = "\u{1B}[?1049h\u{1B}[?25l"

    /// Undoes ``enter``, and what a frame cut short may have left behind.
    static let leave: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    var text: String {
        var text = "\u{1B}[?7l"
        let shown = rows.prefix(size.rows)
        for (index, row) in shown.enumerated() {
            text += "\u{1B}[\(index + 1);1H\u{1B}[2K" + row.rendered(columns: size.columns, styled: styled)
        }
        if shown.count < size.rows { text += "\u{1B}[\(shown.count + 1);1H\u{1B}[J" }
        return text + "\u{1B}[?7h"
    }
}
