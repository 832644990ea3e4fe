import Moonlight
import MoonlightTesting

extension Exploration {
    /// Returns the exploration with events and properties of a child that is always present.
    ///
    /// ```swift
    /// Exploration(app, given: App()) { … }
    ///     .scoped(to: \.search, event: AppEvent.search) { search in
    ///         search.events([.typed("mo"), .clear], atMost: 2)
    ///             .whenQuiet("nothing is loading") { !$0.isLoading }
    ///     }
    /// ```
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: Creates the parent's event from the child's; usually an enum case.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - build: Adds the events and properties.
    public func scoped<Child, ChildEvent>(
        to child: KeyPath<State, Child> & Sendable, event: @escaping @Sendable (ChildEvent) -> Event,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ build: (ExplorationScope<State, Event, Effect, Environment, Child, ChildEvent>) ->
            ExplorationScope<State, Event, Effect, Environment, Child, ChildEvent>
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return build(ExplorationScope(self, read: { $0[keyPath: child] }, embed: event, place)).exploration
    }

    /// Returns the exploration with events and properties of a child that may be absent.
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: Creates the parent's event from the child's; usually an enum case.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - build: Adds the events and properties.
    public func scoped<Child, ChildEvent>(
        to child: KeyPath<State, Child?> & Sendable, event: @escaping @Sendable (ChildEvent) -> Event,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ build: (ExplorationScope<State, Event, Effect, Environment, Child, ChildEvent>) ->
            ExplorationScope<State, Event, Effect, Environment, Child, ChildEvent>
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return build(ExplorationScope(self, read: { $0[keyPath: child] }, embed: event, place, isOptional: true)).exploration
    }
}

/// The part of an exploration that covers a child.
public struct ExplorationScope<Root: Equatable, RootEvent, Effect, Environment, State, Event>: Explorable {
    private(set) var exploration: Exploration<Root, RootEvent, Effect, Environment>
    private let read: (Root) -> State?
    private let embed: (Event) -> RootEvent
    private let place: SourcePlace
    /// True if the child may be absent.
    private let isOptional: Bool

    init(
        _ exploration: Exploration<Root, RootEvent, Effect, Environment>, read: @escaping (Root) -> State?,
        embed: @escaping (Event) -> RootEvent, _ place: SourcePlace, isOptional: Bool = false
    ) {
        self.exploration = exploration
        self.read = read
        self.embed = embed
        self.place = place
        self.isOptional = isOptional
    }

    /// Returns the scope with further events, or with a further property, of the child.
    public func adding(_ part: ExplorationPart<State, Event>) -> Self {
        var copy = self
        switch part.kind {
        case .events(let source):
            let events: (Root) -> [RootEvent] = { [read, embed] in read($0).map { source.events($0).map(embed) } ?? [] }
            copy.exploration.sources.append(EventSource(events: events, most: source.most))
        case .property(let property):
            copy.exploration.add(
                Property(
                    name: property.name, kind: kind(property.kind), place: property.place, scope: place,
                    isOfOptional: isOptional))
        }
        return copy
    }

    /// Returns a property of the child as one of the whole state.
    private func kind(_ kind: Property<State>.Kind) -> Property<Root>.Kind {
        let read = read
        switch kind {
        case .always(let holds): return .always { read($0).map(holds) ?? true }
        case .whenQuiet(let holds): return .whenQuiet { read($0).map(holds) ?? true }
        case .eventually(let after, let until):
            return .eventually(
                after: { read($0).map { after?($0) ?? true } ?? false }, until: { read($0).map(until) ?? true })
        case .canAlways(let goal): return .canAlways { read($0).map(goal) ?? false }
        }
    }
}
