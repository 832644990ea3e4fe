import MoonPresentation

/// Lines of text from one of them on, wrapped. Only those that can be seen cost anything.
struct LinesView: View {
    let lines: [String]
    /// The line at the top.
    let top: Int

    func draw(on surface: inout Surface<InspectorEvent>) {
        let (width, height) = (surface.size.columns, surface.size.rows)
        var (row, index) = (0, top)
        while row < height, lines.indices.contains(index), width > 0 {
            for part in StyledText(lines[index]).wrapped(to: width).prefix(height - row) {
                surface.write(part, at: Point(column: 0, row: row))
                row += 1
            }
            index += 1
        }
        let page = max(1, index - top - 1)
        surface.onInput { input, _ in
            switch input {
            case .key(.up): [.move(.up)]
            case .key(.down): [.move(.down)]
            case .key(.pageUp): [.move(.by(1 - max(2, height)))]
            case .key(.pageDown): [.move(.by(page))]
            case .key(.home): [.move(.first)]
            case .key(.end): [.move(.last)]
            default: nil
            }
        }
    }
}
