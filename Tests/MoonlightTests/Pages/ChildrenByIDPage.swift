import Moonlight
import Streams
import Testing

private struct Card: Equatable, Sendable, Identifiable {
    let id: Int
    var text = ""

    enum Event: Sendable { case load, save }
    enum Effect: Sendable { case loaded(String) }
}

private struct Board: Equatable, Sendable {
    var cards = IdentifiedList<Int, Card>()

    enum Event: Sendable {
        case card(Int, Card.Event)
        case add(Int)
        case remove(Int)
        case reverse
    }
    enum Effect: Sendable {
        case card(Int, Card.Effect)
        case added(Int)
        case removed(Int)
        case reversed
    }
}

@Suite("Page: ChildrenByID")
struct ChildrenByIDPage {
    private typealias World = PassthroughSubject<String, Never>

    private static let card = Reducer<Card, Card.Event, Card.Effect, World>(
        transform: { _, event, answers in
            switch event {
            case .load: answers.first().map(Card.Effect.loaded).eraseToAnyPublisher()
            case .save: answers.map(Card.Effect.loaded).job("save").eraseToAnyPublisher()
            }
        },
        apply: { state, effect in
            switch effect {
            case .loaded(let text): state.text = text
            }
        })

    private static let boardItself = Reducer<Board, Board.Event, Board.Effect, World>(
        transform: { _, event, _ in
            switch event {
            case .add(let id): Just(.added(id)).eraseToAnyPublisher()
            case .remove(let id): Just(.removed(id)).eraseToAnyPublisher()
            case .reverse: Just(.reversed).eraseToAnyPublisher()
            case .card: Empty().eraseToAnyPublisher()
            }
        },
        apply: { state, effect in
            switch effect {
            case .added(let id): state.cards.append(Card(id: id))
            case .removed(let id): state.cards.remove(id: id)
            case .reversed: for id in state.cards.ids { state.cards.move(id: id, to: 0) }
            case .card: break
            }
        })

    @Test("Cards receive their answers after the list was reordered, and not after they were removed")
    func cards() {
        let (boardItself, card) = (Self.boardItself, Self.card)
        let board = boardItself.combined(
            with: card.scoped(
                toEach: \Board.cards,
                event: CasePath(Board.Event.card) { if case .card(let id, let event) = $0 { (id, event) } else { nil } },
                effect: CasePath(Board.Effect.card) {
                    if case .card(let id, let effect) = $0 { (id, effect) } else { nil }
                },
                environment: { $0 }))
        let answers = World()
        let store = Store(reducer: board, initialState: Board(cards: [Card(id: 7), Card(id: 9)]), environment: answers)
        store.send(.card(7, .load))
        store.send(.reverse)
        answers.send("for seven")
        #expect(store.state.cards[id: 7]?.text == "for seven")
        #expect(store.state.cards.ids == [9, 7])

        store.send(.card(7, .save))
        store.send(.card(9, .save))
        #expect(store.inFlight.map { "\($0.path)" } == ["cards[7]", "cards[9]"])
        store.send(.remove(7))
        #expect(store.inFlight.map { "\($0.path)" } == ["cards[9]"])
        store.send(.add(7))
        answers.send("saved")
        #expect(store.state.cards.map(\.text) == ["saved", ""])
    }

    @Test("An id that occurs twice in data from outside is an error")
    func twice() {
        let rows = [Card(id: 7), Card(id: 9), Card(id: 7)]
        #expect(throws: DuplicateIDError.self) { try IdentifiedList(validating: rows) }
    }
}
