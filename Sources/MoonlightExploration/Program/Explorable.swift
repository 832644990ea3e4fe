import MoonlightTesting

/// An exploration, or the part of it that covers a child. Both accept events and properties.
///
/// Events of a child are possible only while it is present. Its properties hold while it is absent, except `canAlways`.
public protocol Explorable {
    /// The type of the states that properties describe.
    associatedtype State
    /// The type of the events.
    associatedtype Event

    /// Returns a copy with a further part.
    func adding(_ part: ExplorationPart<State, Event>) -> Self
}

/// Events or a property of an exploration.
public struct ExplorationPart<State, Event> {
    enum Kind {
        case events(EventSource<State, Event>)
        case property(Property<State>)
    }

    let kind: Kind
}

extension Explorable {
    // MARK: Events

    /// Returns a copy with further events from outside, which are possible in every state.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - count: The number of these events in one trace; nil for any number.
    public func events(_ events: [Event], atMost count: Int? = nil) -> Self {
        adding(ExplorationPart(kind: .events(EventSource(events: { _ in events }, most: count))))
    }

    /// Returns a copy with further events from outside, which depend on the state.
    ///
    /// - Parameters:
    ///   - count: The number of these events in one trace; nil for any number.
    ///   - events: Returns the events that are possible in a state. Must depend only on the state.
    public func events(atMost count: Int? = nil, _ events: @escaping @Sendable (State) -> [Event]) -> Self {
        adding(ExplorationPart(kind: .events(EventSource(events: events, most: count))))
    }

    // MARK: Properties

    /// Returns a copy with an invariant: a property of all states that observers see.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - holds: Returns true if a state has the property.
    public func always(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ holds: @escaping @Sendable (State) -> Bool
    ) -> Self {
        having(name, .always(holds), SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Returns a copy with a condition that no state visible to observers may satisfy.
    ///
    /// - Parameters:
    ///   - name: The name of the condition.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - happens: Returns true if a state meets the condition.
    public func never(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ happens: @escaping @Sendable (State) -> Bool
    ) -> Self {
        having("never: \(name)", .always { !happens($0) }, SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Returns a copy with a property of the states in which nothing is live in the whole program: no effect, no event, no timer.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - holds: Returns true if a state has the property.
    public func whenQuiet(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ holds: @escaping @Sendable (State) -> Bool
    ) -> Self {
        having(name, .whenQuiet(holds), SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Returns a copy with a goal that must be reached eventually, each time that a trigger has occurred.
    ///
    /// The assumptions are that an open call receives an outcome, unless its rule says `never` or lists no further one, that time
    /// advances, and that events from outside stop. A child that is removed need not reach the goal.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - trigger: Returns true for a state after which the goal must be reached; nil for every state.
    ///   - goal: Returns true for a state that reaches the goal.
    public func eventually(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        after trigger: (@Sendable (State) -> Bool)? = nil, until goal: @escaping @Sendable (State) -> Bool
    ) -> Self {
        having(
            name, .eventually(after: trigger, until: goal), SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Returns a copy with a goal that can be reached from every node, by some choices.
    ///
    /// Nodes that differ only in the number of events limited by `atMost` count as one: a choice that was tried in one of them
    /// is possible in the others, too. A node that was found only after its last event is not checked.
    ///
    /// - Parameters:
    ///   - name: The name of the goal, such as "start again".
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - goal: Returns true for a state that reaches the goal.
    public func canAlways(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        to goal: @escaping @Sendable (State) -> Bool
    ) -> Self {
        having("can always \(name)", .canAlways(goal), SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    private func having(_ name: String, _ kind: Property<State>.Kind, _ place: SourcePlace) -> Self {
        adding(ExplorationPart(kind: .property(Property(name: name, kind: kind, place: place))))
    }
}

extension Exploration: Explorable {
    /// Returns the exploration with further events, or with a further property.
    public func adding(_ part: ExplorationPart<State, Event>) -> Self {
        changed { exploration in
            switch part.kind {
            case .events(let source): exploration.sources.append(source)
            case .property(let property): exploration.add(property)
            }
        }
    }

    /// Adds a property, with its number.
    mutating func add(_ property: Property<State>) {
        var property = property
        property.number = properties.count
        properties.append(property)
    }

    /// Returns the exploration with the property that no node is a dead end, in which nothing is live and no event changes the
    /// state.
    ///
    /// Nodes in which a limit `atMost` excludes further events are not checked.
    ///
    /// - Parameter isEnd: Returns true for a state in which the program may end.
    public func noDeadEnds(except isEnd: (@Sendable (State) -> Bool)? = nil) -> Self {
        changed { $0.deadEnds = DeadEnds(isEnd: isEnd) }
    }
}

/// A property with its name.
struct Property<State> {
    enum Kind {
        case always((State) -> Bool)
        case whenQuiet((State) -> Bool)
        case eventually(after: ((State) -> Bool)?, until: (State) -> Bool)
        case canAlways((State) -> Bool)
    }

    let name: String
    let kind: Kind
    let place: SourcePlace
    /// The place of the `scoped` call if the property is one of a child; nil for the whole state.
    var scope: SourcePlace?
    /// True if that child may be absent.
    var isOfOptional = false
    /// Its number among the properties of the exploration, several of which may have the same name.
    var number = 0
}
