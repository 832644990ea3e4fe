import Moonlight
import Streams

struct Child: Equatable, Sendable { var count = 0 }
enum ChildEvent: Sendable { case add(Int) }
enum ChildEffect: Sendable { case added(Int) }

let child = Reducer<Child, ChildEvent, ChildEffect, Void>(
    transform: { state, event, _ in
        switch event {
        case .add(let number): Just(.added(number + state.count * 2 - 1)).eraseToAnyPublisher()
        }
    },
    apply: { state, effect in
        switch effect {
        case .added(let number): state.count += number
        }
    })

struct Parent: Equatable, Sendable {
    var child0 = Child()
    var child1 = Child()
    var child2 = Child()
    var child3 = Child()
    var child4 = Child()
    var child5 = Child()
    var child6 = Child()
    var child7 = Child()
    var child8 = Child()
    var child9 = Child()
}

enum ParentEvent: Sendable {
    case child0(ChildEvent)
    case child1(ChildEvent)
    case child2(ChildEvent)
    case child3(ChildEvent)
    case child4(ChildEvent)
    case child5(ChildEvent)
    case child6(ChildEvent)
    case child7(ChildEvent)
    case child8(ChildEvent)
    case child9(ChildEvent)
}

enum ParentEffect: Sendable {
    case child0(ChildEffect)
    case child1(ChildEffect)
    case child2(ChildEffect)
    case child3(ChildEffect)
    case child4(ChildEffect)
    case child5(ChildEffect)
    case child6(ChildEffect)
    case child7(ChildEffect)
    case child8(ChildEffect)
    case child9(ChildEffect)
}

let parent = Reducer<Parent, ParentEvent, ParentEffect, Void>()
    .combined(
        with: child.scoped(
            to: \.child0, event: CasePath(ParentEvent.child0) { if case .child0(let event) = $0 { event } else { nil } },
            effect: CasePath(ParentEffect.child0) { if case .child0(let effect) = $0 { effect } else { nil } },
            environment: { $0 })
    )
    .combined(
        with: child.scoped(
            to: \.child1, event: CasePath(ParentEvent.child1) { if case .child1(let event) = $0 { event } else { nil } },
            effect: CasePath(ParentEffect.child1) { if case .child1(let effect) = $0 { effect } else { nil } },
            environment: { $0 })
    )
    .combined(
        with: child.scoped(
            to: \.child2, event: CasePath(ParentEvent.child2) { if case .child2(let event) = $0 { event } else { nil } },
            effect: CasePath(ParentEffect.child2) { if case .child2(let effect) = $0 { effect } else { nil } },
            environment: { $0 })
    )
    .combined(
        with: child.scoped(
            to: \.child3, event: CasePath(ParentEvent.child3) { if case .child3(let event) = $0 { event } else { nil } },
            effect: CasePath(ParentEffect.child3) { if case .child3(let effect) = $0 { effect } else { nil } },
            environment: { $0 })
    )
    .combined(
        with: child.scoped(
            to: \.child4, event: CasePath(ParentEvent.child4) { if case .child4(let event) = $0 { event } else { nil } },
            effect: CasePath(ParentEffect.child4) { if case .child4(let effect) = $0 { effect } else { nil } },
            environment: { $0 })
    )
    .combined(
        with: child.scoped(
            to: \.child5, event: CasePath(ParentEvent.child5) { if case .child5(let event) = $0 { event } else { nil } },
            effect: CasePath(ParentEffect.child5) { if case .child5(let effect) = $0 { effect } else { nil } },
            environment: { $0 })
    )
    .combined(
        with: child.scoped(
            to: \.child6, event: CasePath(ParentEvent.child6) { if case .child6(let event) = $0 { event } else { nil } },
            effect: CasePath(ParentEffect.child6) { if case .child6(let effect) = $0 { effect } else { nil } },
            environment: { $0 })
    )
    .combined(
        with: child.scoped(
            to: \.child7, event: CasePath(ParentEvent.child7) { if case .child7(let event) = $0 { event } else { nil } },
            effect: CasePath(ParentEffect.child7) { if case .child7(let effect) = $0 { effect } else { nil } },
            environment: { $0 })
    )
    .combined(
        with: child.scoped(
            to: \.child8, event: CasePath(ParentEvent.child8) { if case .child8(let event) = $0 { event } else { nil } },
            effect: CasePath(ParentEffect.child8) { if case .child8(let effect) = $0 { effect } else { nil } },
            environment: { $0 })
    )
    .combined(
        with: child.scoped(
            to: \.child9, event: CasePath(ParentEvent.child9) { if case .child9(let event) = $0 { event } else { nil } },
            effect: CasePath(ParentEffect.child9) { if case .child9(let effect) = $0 { effect } else { nil } },
            environment: { $0 }))
