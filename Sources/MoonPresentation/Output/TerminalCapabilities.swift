/// The capabilities of a terminal by its environment. Nothing is queried before the first frame.
///
/// ```swift
/// let capabilities = TerminalCapabilities { name in getenv(name).map { String(cString: $0) } }
/// ```
package struct TerminalCapabilities: Hashable, Sendable {
    /// The number of colors of a terminal.
    package enum Colors: Hashable, Sendable, Comparable {
        /// No colors, or the user has disabled them. Attributes such as bold are still shown.
        case none
        /// The 16 colors of the user's theme.
        case ansi16
        /// The 256 colors of xterm's palette.
        case palette256
        /// Any mixture of red, green and blue.
        case rgb
    }

    /// The colors. Others are replaced by the nearest one.
    package var colors: Colors
    /// Indicates whether the terminal can hold a frame back until it is complete (mode 2026).
    package var synchronizedOutput: Bool
    /// Indicates whether the terminal counts grapheme clusters as this library does (mode 2027). Otherwise, characters after a
    /// cluster of doubtful width are placed by their column.
    package var graphemeClusters: Bool
    /// Indicates whether text can be a link (OSC 8).
    package var hyperlinks: Bool
    /// Indicates whether the terminal can scroll rows between margins.
    package var scrollRegions: Bool
    /// Indicates whether the terminal rewraps its lines when the window becomes narrower.
    package var reflow: Bool
    /// Indicates whether the terminal understands no sequences (`TERM=dumb`).
    package var isDumb: Bool

    /// Creates capabilities; by default those of xterm with 256 colors.
    package init(
        colors: Colors = .palette256, synchronizedOutput: Bool = false, graphemeClusters: Bool = false, hyperlinks: Bool = true,
        scrollRegions: Bool = true, reflow: Bool = true, isDumb: Bool = false
    ) {
        self.colors = colors
        self.synchronizedOutput = synchronizedOutput
        self.graphemeClusters = graphemeClusters
        self.hyperlinks = hyperlinks
        self.scrollRegions = scrollRegions
        self.reflow = reflow
        self.isDumb = isDumb
    }

    /// Reads the capabilities from an environment: `TERM`, `COLORTERM`, `NO_COLOR`, `TERM_PROGRAM` and variables of particular
    /// terminals.
    ///
    /// - Parameter environment: The value of a variable; nil if it is not set.
    package init(environment: (String) -> String?) {
        let term = environment("TERM") ?? ""
        let program = environment("TERM_PROGRAM") ?? ""
        let colorTerm = environment("COLORTERM") ?? ""
        let isMultiplexed = environment("TMUX") != nil || term.hasPrefix("tmux") || term.hasPrefix("screen")
        let isConsole = term == "linux" || term.hasPrefix("vt")
        let isModern =
            ["kitty", "ghostty", "foot", "contour", "alacritty"].contains { term.contains($0) }
            || ["WezTerm", "iTerm.app", "ghostty", "rio", "vscode", "contour"].contains(program)
            || environment("WT_SESSION") != nil

        isDumb = term.isEmpty || term == "dumb"
        if isDumb || !(environment("NO_COLOR") ?? "").isEmpty {
            colors = .none
        } else if colorTerm == "truecolor" || colorTerm == "24bit" || term.hasSuffix("-direct") || isModern && !isMultiplexed {
            colors = .rgb
        } else if term.contains("256color") || isMultiplexed {
            colors = .palette256
        } else {
            colors = .ansi16
        }
        synchronizedOutput = isModern && !isMultiplexed
        graphemeClusters = false
        hyperlinks = !isConsole && !isDumb
        scrollRegions = !isDumb
        reflow = isMultiplexed || isModern || !(environment("VTE_VERSION") ?? "").isEmpty || program == "Apple_Terminal"
    }
}

extension TerminalCapabilities.Colors {
    /// The bits of the nearest color that a terminal with these colors has.
    func reduced(_ bits: UInt32) -> UInt32 {
        let kind = bits >> 24
        switch self {
        case .rgb: return bits
        case .none: return 0
        case .palette256: return kind < 3 ? bits : Color.palette(nearest256(bits)).bits
        case .ansi16:
            if kind < 2 { return bits }
            if kind == 2, bits & 255 < 16 { return Color.ansi(UInt8(bits & 15)).bits }
            let (red, green, blue) = kind == 2 ? components(ofPalette: Int(bits & 255)) : components(bits)
            return Color.ansi(nearest16(red, green, blue)).bits
        }
    }
}

private func components(_ bits: UInt32) -> (Int, Int, Int) { (Int(bits >> 16 & 255), Int(bits >> 8 & 255), Int(bits & 255)) }

/// The levels of each component in the cube of xterm's palette.
private func level(_ index: Int) -> Int { index == 0 ? 0 : 55 + 40 * index }

/// Red, green and blue of a number of xterm's palette from 16 on.
private func components(ofPalette number: Int) -> (Int, Int, Int) {
    if number >= 232 {
        let gray = 8 + 10 * (number - 232)
        return (gray, gray, gray)
    }
    let index = number - 16
    return (level(index / 36), level(index / 6 % 6), level(index % 6))
}

private func distance(_ one: (Int, Int, Int), _ two: (Int, Int, Int)) -> Int {
    let (red, green, blue) = (one.0 - two.0, one.1 - two.1, one.2 - two.2)
    // The eye is most sensitive to green, and least to blue.
    return 3 * red * red + 6 * green * green + blue * blue
}

/// The nearest color of the palette's cube or grays. The first 16 depend on the user's theme, and are not used.
private func nearest256(_ bits: UInt32) -> UInt8 {
    let color = components(bits)
    func nearestLevel(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
    let cube = 16 + 36 * nearestLevel(color.0) + 6 * nearestLevel(color.1) + nearestLevel(color.2)
    let average = (color.0 + color.1 + color.2) / 3
    let gray = 232 + max(0, min(23, (average - 3) / 10))
    return UInt8(distance(color, components(ofPalette: gray)) < distance(color, components(ofPalette: cube)) ? gray : cube)
}

/// The nearest of xterm's 16 colors.
private func nearest16(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    let colors = themeColors
    let best = colors.indices.min { distance(colors[$0], (red, green, blue)) < distance(colors[$1], (red, green, blue)) }
    return UInt8(best ?? 7)
}

extension Color {
    /// The color in CSS; nil for the default color.
    package var css: String? {
        let kind = bits >> 24
        guard kind != 0 else { return nil }
        let number = Int(bits & 255)
        let (red, green, blue) =
            kind == 3 ? components(bits) : number < 16 ? themeColors[number] : components(ofPalette: number)
        return "rgb(\(red),\(green),\(blue))"
    }
}

/// The 16 colors of xterm's theme.
private let themeColors = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
]
