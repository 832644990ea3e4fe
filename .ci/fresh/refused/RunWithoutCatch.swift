// Code that must not compile, with the expected errors on their lines. See `.ci/refused`.
import Moonlight
import Streams

struct Page: Sendable {
    let title: String
    let next: Int
}
struct Web: Sendable { let load: @Sendable (Int) async throws -> Page }
enum PageEvent: Sendable {
    case open(Int)
    case close
}
enum PageEffect: Sendable {
    case loading
    case shown(String)
    case failed(String)
}

let inASwitch = Reducer<[String], PageEvent, PageEffect, Web>(
    transform: { _, event, web in
        switch event {
        case .open(let number):
            return .run { send in  // refused: needs `catch:`
                send(.loading)
                send(.shown(try await web.load(number).title))
            }
        case .close: return .none
        }
    },
    apply: { (log: inout [String], effect: PageEffect) in log.append("\(effect)") })

let inferred = Store(
    reducer: Reducer(
        transform: { (_: Int, number: Int, web: Web) in
            .run { send in  // refused: needs `catch:`
                let page = try await web.load(number)
                send(page.next)
            }
        }, apply: { count, new in count += new }),
    initialState: 0, environment: Web { _ in Page(title: "", next: 1) })

func inAJob(_ web: Web) -> AnyPublisher<PageEffect, Never> {
    .run { send in send(.shown(try await web.load(1).title)) }  // refused: needs `catch:`
        .job("page").eraseToAnyPublisher()
}

func byName(_ web: Web) -> AnyPublisher<PageEffect, Never> {
    AnyPublisher<PageEffect, Never>.run(priority: .high) { send in  // refused: needs `catch:`
        for number in 1...3 { send(.shown(try await web.load(number).title)) }
    }
}
