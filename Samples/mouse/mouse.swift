// How do I … use the mouse, and draw a view of my own?
//
//     swift run mouse                press and drag to draw, the right button erases, c clears
import MoonPresentation

struct Drawing: Equatable {
    var points: Set<Spot> = []
}

struct Spot: Hashable {
    var column: Int
    var row: Int
}

enum Event {
    case draw(Spot)
    case erase(Spot)
    case clear
}

func update(drawing: inout Drawing, event: Event) {
    switch event {
    case .draw(let spot): drawing.points.insert(spot)
    case .erase(let spot): drawing.points.remove(spot)
    case .clear: drawing.points = []
    }
}

struct Sheet: View {
    let points: Set<Spot>

    func draw(on surface: inout Surface<Event>) {
        for spot in points { surface.write("●", at: Point(column: spot.column, row: spot.row)) }
        surface.onInput { input, _ in
            guard case .mouse(let mouse) = input else { return nil }
            let spot = Spot(column: mouse.point.column, row: mouse.point.row)
            switch mouse.action {
            case .press(1), .move(1): return [.draw(spot)]
            case .press(3), .move(3): return [.erase(spot)]
            default: return nil
            }
        }
    }
}

func program() -> Program<Drawing, Event, Event, Void> {
    Program(Drawing(), update: update) { drawing, screen in
        screen.add(
            Rows {
                Sheet(points: drawing.points).border(.rounded, title: "Draw").length(.share())
                Text("\(drawing.points.count) dots  c clear  q quit", style: .dim)
            })
    }
    .keys(["c": .clear], quit: ["q"])
    .mouse()
}

@main struct Main {
    static func main() throws { try program().run() }
}
