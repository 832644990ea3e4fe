/// What a terminal can do, as far as its environment tells. Nothing is asked of the terminal before the first frame.
///
/// ```swift
/// let capabilities = TerminalCapabilities { name in getenv(name).map { String(cString: $0) } }
/// ```
package struct TerminalCapabilities: Hashable, Sendable {
    /// How many colors a terminal has.
    package enum Colors: Hashable, Sendable, Comparable {
        /// None, or none are wanted; bold and inverse text can be told apart all the same.
        case none
        /// The 16 colors of the user's theme.
        case ansi16
        /// The 256 colors of xterm's palette.
        case palette256
        /// Any mixture of red, green and blue.
        case rgb
    }

    /// The colors. Others are replaced by the nearest.
    package var colors: Colors
    /// Indicates whether a frame can be held back until it is complete (mode 2026).
    package var synchronizedOutput: Bool
    /// Indicates whether the terminal counts grapheme clusters as this library does (mode 2027). Otherwise, the characters behind a
    /// cluster of doubtful width are placed by their column.
    package var graphemeClusters: Bool
    /// Indicates whether text can be a link (OSC 8). Terminals without links show its text only.
    package var hyperlinks: Bool
    /// Indicates whether rows between two margins can be scrolled.
    package var scrollRegions: Bool
    /// Indicates whether the terminal rewraps its lines if the window is made narrower.
    package var reflow: Bool
    /// Indicates whether the terminal understands no sequences at all, as `TERM=dumb` says.
    package var isDumb: Bool

    /// Creates capabilities one by one; by default those of xterm with 256 colors.
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

    /// Reads the capabilities from the variables of an environment: `TERM`, `COLORTERM`, `NO_COLOR`, `TERM_PROGRAM` and what some
    /// terminals set beside them.
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
