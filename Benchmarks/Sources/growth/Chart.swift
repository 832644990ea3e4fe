import Foundation

/// Two pictures side by side: the time and the memory of an item, relative to those among a thousand items. A dashed line is what
/// n log n allows.
func chart(of rows: [(Subject, [Cost])]) -> String {
    let height = 300 + rows.count * 20
    var svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 \(height)" font-family="system-ui, sans-serif" font-size="13" \
        role="img" aria-label="Time and memory of an item, among a thousand to a million items">
        <style>\(style)</style>
        <rect class="page" width="800" height="\(height)" rx="10"/>

        """
    svg += panel("time of an item, times that among 1,000", from: 40, rows.map { $0.1.growth(\.nanoseconds) })
    svg += panel("memory of an item, times that among 1,000", from: 430, rows.map { $0.1.growth(\.bytes) })
    for (index, row) in rows.enumerated() {
        let y = 300 + index * 20
        svg += "<line class=\"line c\(index)\" x1=\"40\" x2=\"70\" y1=\"\(y - 4)\" y2=\"\(y - 4)\"/>"
        svg += "<text x=\"80\" y=\"\(y)\">\(row.0.title)</text>\n"
    }
    return svg + "</svg>\n"
}

private let bottom = 250.0
private let top = 50.0
/// The largest growth that has a place on the chart; what grows more leaves it.
private let highest = 4.0

private func panel(_ title: String, from left: Double, _ growths: [[Double]]) -> String {
    func x(_ index: Int) -> Double { left + Double(index) * 100 }
    func y(_ growth: Double) -> Double { bottom - (bottom - top) * min(growth, highest) / highest }
    var svg = "<text x=\"\(left)\" y=\"24\">\(title)</text>\n"
    for growth in 0...Int(highest) {
        let place = y(Double(growth))
        svg += "<line class=\"grid\" x1=\"\(left)\" x2=\"\(left + 300)\" y1=\"\(place)\" y2=\"\(place)\"/>"
        svg += "<text class=\"faint\" x=\"\(left - 8)\" y=\"\(place + 4)\" text-anchor=\"end\">\(growth)</text>\n"
    }
    for (index, size) in sizes.enumerated() {
        let place = x(index)
        let label = grouped(Double(size))
        svg += "<text class=\"faint\" x=\"\(place)\" y=\"\(bottom + 20)\" text-anchor=\"middle\">\(label)</text>\n"
    }
    let allowed = sizes.map { log(Double($0)) / log(Double(sizes[0])) }
    svg += line(allowed, "allowed", x, y)
    for (index, growth) in growths.enumerated() { svg += line(growth, "line c\(index)", x, y) }
    return svg
}

private func line(_ growth: [Double], _ style: String, _ x: (Int) -> Double, _ y: (Double) -> Double) -> String {
    let points = growth.enumerated().map { String(format: "%.1f,%.1f", x($0), y($1)) }
    return "<polyline class=\"\(style)\" points=\"\(points.joined(separator: " "))\"/>\n"
}

private let style = """
    .page{fill:#ffffff}text{fill:#24292f}.faint{fill:#57606a}.grid{stroke:#d0d7de}.line{fill:none;stroke-width:2}\
    .allowed{fill:none;stroke:#8c959f;stroke-width:1.5;stroke-dasharray:4 4}\
    .c0{stroke:#0969da}.c1{stroke:#bc4c00}.c2{stroke:#8250df}.c3{stroke:#1a7f37}.c4{stroke:#cf222e}.c5{stroke:#9a6700}\
    @media(prefers-color-scheme:dark){.page{fill:#0d1117}text{fill:#e6edf3}.faint{fill:#9198a1}.grid{stroke:#30363d}\
    .c0{stroke:#4493f8}.c1{stroke:#f0883e}.c2{stroke:#ab7df8}.c3{stroke:#3fb950}.c4{stroke:#f85149}.c5{stroke:#d29922}}
    """
