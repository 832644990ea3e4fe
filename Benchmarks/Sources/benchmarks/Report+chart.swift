import Foundation
import Harness

// The headline rows, one line each, on a logarithmic scale. The picture has its own background, which follows the reader's color
// scheme.
extension Report {
    var chart: String {
        let rows = rows.filter(\.isHeadline)
        let shown: [Contender] = [.byHand, .moonlight, .openCombine, .asyncSequences]
        let values = rows.flatMap { row in shown.compactMap { row[$0]?.minimum } }
        let scale = Scale(values, from: 300, to: 760)
        let bottom = 64 + rows.count * 26
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 \(bottom + 44)" font-family="system-ui, sans-serif" \
            font-size="13" role="img" aria-label="Nanoseconds for each element, Moonlight and its peers">
            <style>\(Self.style)</style>
            <rect class="page" width="800" height="\(bottom + 44)" rx="10"/>

            """
        for (index, contender) in shown.enumerated() {
            let x = 300 + index * 118
            svg += dot(contender, x, 20) + "<text x=\"\(x + 12)\" y=\"24\">\(contender.rawValue)</text>\n"
        }
        for power in scale.powers {
            let x = scale.place(power)
            svg += "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"40\" y2=\"\(bottom)\"/>"
            let number = power < 1 ? power.short : grouped(Int(power.rounded()))
            svg += "<text class=\"faint\" x=\"\(x)\" y=\"\(bottom + 18)\" text-anchor=\"middle\">\(number) ns</text>\n"
        }
        for (index, row) in rows.enumerated() { svg += line(of: row, at: 58 + index * 26, shown, scale) }
        return svg
            + "<text class=\"faint\" x=\"10\" y=\"\(bottom + 36)\" font-size=\"11\">\(machine.description)</text>\n</svg>\n"
    }

    private func line(of row: Result, at y: Int, _ shown: [Contender], _ scale: Scale) -> String {
        let name = "<text x=\"288\" y=\"\(y + 4)\" text-anchor=\"end\">\(row.name)</text>"
        let places = shown.compactMap { contender in row[contender].map { (contender, scale.place($0.minimum)) } }
        let (first, last) = (places.map(\.1).min() ?? 0, places.map(\.1).max() ?? 0)
        let span = "<line class=\"span\" x1=\"\(first)\" x2=\"\(last)\" y1=\"\(y)\" y2=\"\(y)\"/>"
        return name + span + places.map { dot($0, $1, y) }.joined() + "\n"
    }

    /// Returns the mark of a contender, which has a distinct shape as well as a color.
    private func dot(_ contender: Contender, _ x: Int, _ y: Int) -> String {
        switch contender {
        case .moonlight: "<circle class=\"moonlight\" cx=\"\(x)\" cy=\"\(y)\" r=\"6\"/>"
        case .byHand: "<line class=\"limit\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(y - 7)\" y2=\"\(y + 7)\"/>"
        case .openCombine: "<rect class=\"combine\" x=\"\(x - 5)\" y=\"\(y - 5)\" width=\"10\" height=\"10\"/>"
        default: "<path class=\"async\" d=\"M\(x) \(y - 6)l6 11h-12z\"/>"
        }
    }

    private static let style = """
        .page{fill:#ffffff}text{fill:#24292f}.faint{fill:#57606a}.grid{stroke:#d0d7de}.span{stroke:#8c959f;stroke-width:1.5}\
        .limit{stroke:#24292f;stroke-width:3}.moonlight{fill:#0969da}.combine{fill:#bc4c00}.async{fill:#8250df}\
        @media(prefers-color-scheme:dark){.page{fill:#0d1117}text{fill:#e6edf3}.faint{fill:#9198a1}.grid{stroke:#30363d}.span{stroke:#6e7681}\
        .limit{stroke:#e6edf3}.moonlight{fill:#4493f8}.combine{fill:#f0883e}.async{fill:#ab7df8}}
        """

    /// The position of a number of nanoseconds on the chart.
    private struct Scale {
        let low: Double
        let high: Double
        let left: Double
        let right: Double

        init(_ values: [Double], from left: Double, to right: Double) {
            low = log10(values.min() ?? 1).rounded(.down)
            high = max(log10(values.max() ?? 10).rounded(.up), low + 1)
            self.left = left
            self.right = right
        }

        var powers: [Double] { stride(from: low, through: high, by: 1).map { pow(10, $0) } }

        func place(_ value: Double) -> Int { Int(left + (right - left) * (log10(value) - low) / (high - low)) }
    }
}
