import MoonlightTestSupport
import Testing

@testable import MoonPresentation

/// The work of many frames. `make frames` runs it in release with a time limit.
@Suite("Output: the speed of many frames")
struct FrameSpeedTests {
    private static let size = Size(columns: 80, rows: 24)

    private static func draw(_ number: Int, on canvas: inout Canvas) {
        canvas.reset(size: size)
        for row in 0..<size.rows {
            canvas.write(
                "row \(row): the quick brown fox jumps over the lazy dog, time and again", at: Point(column: 0, row: row))
        }
        canvas.write("frame \(number)", at: Point(column: 60, row: 12), style: .bold)
    }

    @Test("A thousand frames of a full screen, built and written, take 100 ms in release")
    func thousand() {
        var (canvas, writer) = (Canvas(size: Self.size), FrameWriter(capabilities: .init()))
        #if DEBUG
            let frames = Budget.size(1_000, quick: 200)
        #else
            let frames = 1_000
        #endif
        var bytes = 0
        let time = ContinuousClock().measure {
            for number in 0..<frames {
                Self.draw(number, on: &canvas)
                bytes += writer.bytes(for: canvas).count
            }
        }
        expect(bytes > frames && bytes < 4_000 + 16 * frames)
        #if !DEBUG
            expect(time < .milliseconds(100), "\(time)")
            print("1,000 frames of 80 x 24: \(time)")
        #endif
    }
}
