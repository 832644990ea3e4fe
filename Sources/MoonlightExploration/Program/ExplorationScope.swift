import Moonlight
import MoonlightTesting

extension Exploration {
    /// Returns the exploration with events and properties of a child that is always present.
    ///
    /// ```swift
    /// Exploration(app, given: App()) { … }
    ///     .scoped(to: \.search, event: AppEvent.search) { search in
    ///         search.events([.typed("mo"), .clear], atMost: 2)
    ///             .whenQuiet("nothing is left spinning") { !$0.isLoading }
    ///     }
    /// ```
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: Makes an event of the parent from one of the child; usually the case itself.
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
    /// While it is absent, none of its events come. Its properties hold, and nothing is owed to it.
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: Makes an event of the parent from one of the child; usually the case itself.
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
        return build(ExplorationScope(self, read: { $0[keyPath: child] }, embed: event, place)).exploration
    }
}

/// The part of an exploration that is about a child.
public struct ExplorationScope<State: Equatable, Event, Effect, Environment, Child, ChildEvent> {
    private(set) var exploration: Exploration<State, Event, Effect, Environment>
    private let read: (State) -> Child?
    private let embed: (ChildEvent) -> Event
    private let place: SourcePlace

    init(
        _ exploration: Exploration<State, Event, Effect, Environment>, read: @escaping (State) -> Child?,
        embed: @escaping (ChildEvent) -> Event, _ place: SourcePlace
    ) {
        self.exploration = exploration
        self.read = read
        self.embed = embed
        self.place = place
    }

    /// Adds events of the child that can come from outside, at any moment at which it is present.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - count: The number of these events that come in one trace; nil for any number.
    public func events(_ events: [ChildEvent], atMost count: Int? = nil) -> Self { adding(atMost: count) { _ in events } }

    /// Adds events of the child that can come from outside, depending on its state.
    ///
    /// - Parameters:
    ///   - count: The number of these events that come in one trace; nil for any number.
    ///   - events: Returns the events that can come. Must depend on nothing else.
    public func events(atMost count: Int? = nil, _ events: @escaping @Sendable (Child) -> [ChildEvent]) -> Self {
        adding(atMost: count, events)
    }

    private func adding(atMost count: Int?, _ events: @escaping (Child) -> [ChildEvent]) -> Self {
        changed { [read, embed] exploration in
            let source = EventSource<State, Event>(events: { read($0).map { events($0).map(embed) } ?? [] }, most: count)
            exploration.sources.append(source)
        }
    }

    /// Adds a property of all states of the child that observers see.
    ///
    /// - Parameters:
    ///   - name: What holds, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - holds: Returns whether it holds in a state.
    public func always(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ holds: @escaping @Sendable (Child) -> Bool
    ) -> Self {
        property(
            name, .always { [read] in read($0).map(holds) ?? true }, .init(fileID: fileID, file: file, line: line, column: column)
        )
    }

    /// Adds what must be true of no state of the child that observers see.
    ///
    /// - Parameters:
    ///   - name: What never happens, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - happens: Returns whether it is the case in a state.
    public func never(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ happens: @escaping @Sendable (Child) -> Bool
    ) -> Self {
        property(
            "never: \(name)", .always { [read] in !(read($0).map(happens) ?? false) },
            .init(fileID: fileID, file: file, line: line, column: column))
    }

    /// Adds a property of the child's states in which nothing is live in the whole program: no effect, no timer.
    ///
    /// - Parameters:
    ///   - name: What holds, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - holds: Returns whether it holds in a state.
    public func whenQuiet(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ holds: @escaping @Sendable (Child) -> Bool
    ) -> Self {
        property(
            name, .whenQuiet { [read] in read($0).map(holds) ?? true },
            .init(fileID: fileID, file: file, line: line, column: column))
    }

    /// Adds what must happen to the child in the end, each time that something else has happened, unless it leaves.
    ///
    /// - Parameters:
    ///   - name: What happens, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - trigger: Returns whether a state asks for it; nil if every state does.
    ///   - goal: Returns whether it has happened in a state.
    public func eventually(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        after trigger: (@Sendable (Child) -> Bool)? = nil, until goal: @escaping @Sendable (Child) -> Bool
    ) -> Self {
        property(
            name,
            .eventually(
                after: { [read] in read($0).map { trigger?($0) ?? true } ?? false },
                until: { [read] in read($0).map(goal) ?? true }),
            .init(fileID: fileID, file: file, line: line, column: column))
    }

    /// Adds what the child can reach from every node, by some choices.
    ///
    /// - Parameters:
    ///   - name: What can be reached, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - goal: Returns whether it is reached in a state.
    public func canAlways(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        to goal: @escaping @Sendable (Child) -> Bool
    ) -> Self {
        property(
            "can always \(name)", .canAlways { [read] in read($0).map(goal) ?? false },
            .init(fileID: fileID, file: file, line: line, column: column))
    }

    private func property(_ name: String, _ kind: Property<State>.Kind, _ place: SourcePlace) -> Self {
        changed { [scope = self.place] in $0.properties.append(Property(name: name, kind: kind, place: place, scope: scope)) }
    }

    private func changed(_ change: (inout Exploration<State, Event, Effect, Environment>) -> Void) -> Self {
        var copy = self
        change(&copy.exploration)
        return copy
    }
}
