// Input from the mouse, and a custom view.
//
//     swift run mouse                press and drag to draw, the right button erases, c clears
import MoonPresentation

struct Drawing: Equatable {
    var points: Set<Point> = []
}

enum Event {
    case draw(Point)
    case erase(Point)
    case clear
}

func update(drawing: inout Drawing, event: Event) {
    switch event {
    case .draw(let point): drawing.points.insert(point)
    case .erase(let point): drawing.points.remove(point)
    case .clear: drawing.points = []
    }
}

struct Sheet: View {
    let points: Set<Point>

    func draw(on surface: inout Surface<Event>) {
        for point in points { surface.write("●", at: point) }
        surface.onInput { input in
            guard case .mouse(let mouse) = input else { return nil }
            switch mouse.action {
            case .press(1), .move(1): return [.draw(mouse.point)]
            case .press(3), .move(3): return [.erase(mouse.point)]
            default: return nil
            }
        }
    }
}

func program() -> Program<Drawing, Event, Event, Void> {
    Program(Drawing(), update: update) { drawing, screen in
        // A view without constraints fills the screen. The legend covers its lower border.
        screen.add(Sheet(points: drawing.points).border(.rounded, title: "Draw"))
        let legend = screen.add(Text(" \(drawing.points.count) dots  c clear  q quit ", style: .dim))
        legend.constrain([.right, .bottom], to: screen, with: Insets(right: 2))
    }
    .keys(["c": .clear], quit: ["q"])
    .mouse()
}

@main struct Main {
    static func main() throws { try program().run() }
}
