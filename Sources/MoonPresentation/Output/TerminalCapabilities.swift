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
        reflow = isMultiplexed || isModern || !environment("VTE_VERSION").isNilOrEmpty || program == "Apple_Terminal"
    }
}

extension String? {
    fileprivate var isNilOrEmpty: Bool { self?.isEmpty ?? true }
}
