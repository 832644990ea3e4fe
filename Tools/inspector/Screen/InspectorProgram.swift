import MoonPresentation
import Streams

extension Inspector {
    /// The program, ready to run.
    ///
    /// - Parameters:
    ///   - title: The title of the terminal's window.
    ///   - environment: What it asks for.
    package func program(
        title: String, _ environment: InspectorEnvironment
    ) -> Program<Inspector, InspectorEvent, InspectorEffect, InspectorEnvironment> {
        Program(Self.reducer, initialState: self, environment: environment) { inspector, screen in
            screen.title = title
            screen.add(InspectorView(inspector: inspector))
        }
        .keys(by: \.place, Dictionary(uniqueKeysWithValues: Self.places.map { ($0, Self.keys(of: $0)) }))
        .feedback { states, environment in Self.feedback(states, environment) }
    }
}
