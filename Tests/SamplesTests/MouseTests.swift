import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

@testable import MouseSample

@Suite("Samples: mouse")
struct MouseTests {
    private func mouse(_ action: Mouse.Action, _ column: Int, _ row: Int) -> InputEvent {
        .mouse(Mouse(action, at: Point(column: column, row: row)))
    }

    @Test("Pressing and dragging draws, and the right button erases")
    func drawing() throws {
        try Plan(program(), size: Size(columns: 30, rows: 7))
            .input(mouse(.press(1), 3, 2)).input(mouse(.move(1), 4, 3)).input(mouse(.move(1), 5, 2))
            .then(\.points, equals: [Point(column: 2, row: 1), Point(column: 3, row: 2), Point(column: 4, row: 1)])
            .frame { try $0.compare(toPictureOf: "mouse", "Three dots that were drawn with the mouse") }
            .input(mouse(.press(3), 4, 3))
            .then(\.points.count, equals: 2)
            .press("c")
            .then(\.points, equals: [])
            .run()
    }
}
