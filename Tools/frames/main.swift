// Writes the input of .ci/drive-frames: pairs of frames, or traces of inline frames, in a simple binary form.
//
//     frames pairs FIRST COUNT       per pair: columns, rows, the bytes that show both frames, the bytes that show only the second
//     frames inline FIRST COUNT      per trace: the numbers of lines above and committed, then its steps
//     frames measure                 times of frames, each with a changed row; in a release build
//     frames same COUNT              shows an equal frame repeatedly, to count allocations
//     frames views                   times of frames of a list, from its views to its bytes; in a release build
//     frames equal COUNT             makes frames of an equal state, to count allocations
//     frames columns                 per line of hexadecimal code points, the columns of their text
//
// Numbers are 4 bytes, little-endian. Byte strings are preceded by their length.

import MoonPresentation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

func put(_ number: Int) { put((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }, counted: false) }

func put(_ bytes: [UInt8], counted: Bool = true) {
    if counted { put(bytes.count) }
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 else { exit(1) }
        rest = rest.dropFirst(count)
    }
}

/// Returns the bytes that show frames one after another, on a terminal with the capabilities of tmux 3.3.
func shown(_ frames: [Canvas]) -> [UInt8] {
    var writer = FrameWriter(capabilities: TerminalCapabilities(colors: .rgb, hyperlinks: false))
    return frames.reduce(writer.enter()) { $0 + writer.bytes(for: $1) }
}

let line = "the quick brown fox jumps over the lazy dog, time and again, until the line is full of it"

/// Draws a screen of text with a row that depends on a number.
func draw(_ number: Int, _ size: Size, on canvas: inout Canvas) {
    canvas.reset(size: size)
    for row in 0..<size.rows {
        canvas.write(line, at: Point(column: 0, row: row), style: row % 5 == 0 ? .bold : .plain)
    }
    canvas.write("frame \(number)", at: Point(column: 3, row: size.rows / 2), style: .inverse)
}

func measure(_ size: Size) {
    var (canvas, writer) = (Canvas(size: size), FrameWriter(capabilities: TerminalCapabilities()))
    var best = Duration.seconds(9)
    var (drawing, bytes) = (Duration.seconds(9), 0)
    for round in 0..<10 {
        best = min(
            best,
            ContinuousClock().measure {
                for number in 0..<1_000 {
                    draw(round * 1_000 + number, size, on: &canvas)
                    bytes += writer.bytes(for: canvas).count
                }
            })
        drawing = min(drawing, ContinuousClock().measure { for number in 0..<1_000 { draw(number, size, on: &canvas) } })
    }
    print("\(size.columns) x \(size.rows): a frame \(best / 1_000), of it drawn in \(drawing / 1_000); \(bytes / 10_000) bytes")
}

let arguments = CommandLine.arguments
if arguments.dropFirst() == ["measure"] {
    measure(Size(columns: 80, rows: 24))
    measure(Size(columns: 120, rows: 40))
    measure(Size(columns: 200, rows: 60))
    exit(0)
}
if arguments.count == 3, arguments[1] == "same", let count = Int(arguments[2]) {
    var (canvas, writer) = (Canvas(size: Size(columns: 80, rows: 24)), FrameWriter(capabilities: TerminalCapabilities()))
    for _ in 0..<count {
        draw(1, canvas.size, on: &canvas)
        _ = writer.bytes(for: canvas)
    }
    exit(0)
}
if arguments.dropFirst() == ["views"] {
    measureViews(Size(columns: 80, rows: 24))
    measureViews(Size(columns: 200, rows: 60))
    exit(0)
}
if arguments.count == 3, arguments[1] == "equal", let count = Int(arguments[2]) {
    repeatViews(count)
    exit(0)
}
if arguments.dropFirst() == ["columns"] {
    while let text = readLine() {
        let scalars = text.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
        var shown = ""
        shown.unicodeScalars.append(contentsOf: scalars)
        print(shown.columns)
    }
    exit(0)
}
guard arguments.count == 4, let first = Int(arguments[2]), let count = Int(arguments[3]) else {
    print("usage: frames pairs|inline FIRST COUNT, or frames columns")
    exit(2)
}
for seed in first..<(first + count) {
    if arguments[1] == "pairs" {
        let pair = FramePair(seed: seed)
        put(pair.first.size.columns)
        put(pair.first.size.rows)
        put(shown([pair.first, pair.second]))
        put(shown([pair.second]))
    } else {
        let trace = InlineTrace(seed: seed, showsCursor: seed % 2 == 0)
        put(trace.above)
        put(trace.lines)
        put(trace.steps.count)
        for step in trace.steps {
            switch step {
            case .resize(let size):
                put(0)
                put(size.columns)
                put(size.rows)
            case .write(let bytes):
                put(1)
                put(bytes)
            }
        }
    }
}
