import MoonPresentation
import Moonlight
import MoonlightTesting

extension InputEvent {
    /// The keys that type a text. A line break is Enter.
    static func typing(_ text: String) -> [InputEvent] { text.map { .key($0.isNewline ? .enter : .character($0)) } }
}

extension Plan where State: Sendable, Event: Sendable {
    /// Presses keys, one after another. Each is handled in the state after the previous one.
    ///
    /// The plan fails if an event of a key is rejected, or if the program has ended. A key without a meaning has no effect.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - allowingRefusals: True if events of the keys, and events that follow from them, may be rejected.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func press(
        _ keys: Key..., allowingRefusals: Bool = false,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return taking(
            keys.map { .key($0) }, "When \(keys.map(\.name).joined(separator: ", ")) is pressed", allowingRefusals, place)
    }

    /// Types a text, character by character.
    ///
    /// - Parameters:
    ///   - text: The text. A line break is Enter.
    ///   - allowingRefusals: True if events of the keys, and events that follow from them, may be rejected.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func type(
        _ text: String, allowingRefusals: Bool = false,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return taking(InputEvent.typing(text), "When \(text.debugDescription) is typed", allowingRefusals, place)
    }

    /// Sends an input, such as pasted text, the mouse, or another size of the terminal.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - allowingRefusals: True if events of the input, and events that follow from them, may be rejected.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func input(
        _ input: InputEvent, allowingRefusals: Bool = false,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return taking([input], "When there is \(input)", allowingRefusals, place)
    }

    private func taking(
        _ inputs: [InputEvent], _ title: @autoclosure @escaping () -> String, _ allowingRefusals: Bool, _ place: SourcePlace
    ) -> Self {
        acting(title(), at: place) { stage in
            var planned = try PlannedScreen<State, Event>(in: stage)
            for input in inputs {
                guard !planned.isOver(in: stage.state) else {
                    throw PlanFault("the program has ended, so that it takes no input: \(input)")
                }
                switch try planned.take(input, in: stage.state) {
                case .events(let events):
                    for event in events where !planned.isOver(in: stage.state) {
                        try stage.send(event, allowingRefusals: allowingRefusals)
                    }
                case .quit: planned.hasQuit = true
                case .suspend: break
                }
                // The program shows the effect of a key before it waits for the next one.
                _ = try planned.frame(of: stage.state)
            }
            stage.attachment = planned
        }
    }
}
