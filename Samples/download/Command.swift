import SampleSupport

/// What the user can say in a line of a pipe.
enum Command: Equatable {
    case ask(DownloadsEvent)
    case quit

    /// What a line says.
    ///
    /// - Throws: Why it says nothing.
    init(line: String) throws(Source.Fault) {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
        switch (words.first, words.dropFirst().first?.trimmingSpaces) {
        case ("cancel", let name?): self = .ask(.file(name, .cancel))
        case ("retry", let name?): self = .ask(.file(name, .retry))
        case ("remove", let name?): self = .ask(.remove(name))
        case ("quit", nil): self = .quit
        default: self = .ask(.add(try Source(line)))
        }
    }
}
