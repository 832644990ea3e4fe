import MoonlightTesting
import SwiftText

extension Exploration {
    /// Returns the source of a plan that plays a trace and fails at its end; nil if the property is not one of single nodes.
    ///
    /// The text of the reducer, the environment and the property is read from the file of the test. The plan answers only
    /// calls that are pending, since a corrected program may have cancelled them.
    func planSource(of path: [Choice], violating property: Property<State>) -> String? {
        if case .canAlways = property.kind { return nil }
        return planSource(of: path, allowing: "    .ignoringRefusals()") { play in check(of: property, atRest: play.isQuiet) }
    }

    /// Returns the source of a plan that plays a trace and fails because of the rejection at its end; nil if something is rejected
    /// before, as a plan cannot ignore that alone.
    func planSource(ofRefusalAfter path: [Choice]) -> String? { planSource(of: path, allowing: nil) { _ in nil } }

    private func planSource(
        of path: [Choice], allowing refusals: String?, check: (Play<State, Event, Effect, Environment>) -> String?
    ) -> String? {
        var lines = [beginning] + (refusals.map { [$0] } ?? [])
        let play = Play(self)
        for choice in path {
            if refusals == nil, !play.refusals.isEmpty { return nil }
            guard let step = (try? play.source(of: choice)) ?? nil, (try? play.make(choice)) == true else { return nil }
            if !step.isEmpty { lines.append("    \(step)") }
        }
        if let check = check(play) { lines.append("    \(check)") }
        lines.append("    .ignoringCalls().ignoringInFlight().ignoringRelease()")
        lines.append("    .run()")
        return lines.joined(separator: "\n")
    }

    private var beginning: String {
        guard let call = SourceCall(in: place.file, at: place.line, of: "Exploration") else {
            return "try Plan(reducer, given: \(SwiftSource.of(given))) { stubs in environment(stubs) }"
        }
        // A plan needs no key, as it compares no nodes.
        let closures = call.closures.isEmpty ? "" : " \(call.closures)"
        return "try Plan(\(call.arguments(without: "key")))\(closures)".indented(by: 0)
    }

    /// Returns the step that checks a property.
    ///
    /// If nothing is live at the end of the trace, a goal is checked only in a quiet state: in a corrected program, more may
    /// be in flight.
    private func check(of property: Property<State>, atRest: Bool) -> String {
        let (method, label, arguments): (String, String?, String)
        switch property.kind {
        case .always where property.name.hasPrefix("never: "):
            (method, label, arguments) = ("never", nil, ", in: .lastStep, is: false")
        case .always: (method, label, arguments) = ("always", nil, ", in: .lastStep")
        case .whenQuiet: (method, label, arguments) = ("whenQuiet", nil, ", in: .quiet")
        case .eventually, .canAlways: (method, label, arguments) = ("eventually", "until", atRest ? ", in: .quiet" : "")
        }
        let name = method == "never" ? String(property.name.dropFirst("never: ".count)) : property.name
        let holds =
            SourceCall(in: property.place.file, at: property.place.line, of: method, title: name)?.last(label: label).indented(
                by: 4)
            ?? "{ state in holds(state) }"
        let title = SwiftSource.of(name)
        let step = holds.hasPrefix("{") ? ".holds(\(title)\(arguments)) \(holds)" : ".holds(\(title)\(arguments), \(holds))"
        guard let place = property.scope else { return step }
        guard let scope = SourceCall(in: place.file, at: place.line, of: "scoped") else { return step }
        var child = scope.arguments
        // A plan has a label of its own for a child that may be absent.
        if property.isOfOptional, let label = child.firstRange(of: "to:") {
            child.replaceSubrange(label, with: "toOptional:")
        }
        return ".scoped(\(child)) { $0\(step) }"
    }
}
