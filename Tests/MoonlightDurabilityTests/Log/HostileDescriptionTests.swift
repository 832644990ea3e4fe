import Moonlight
import MoonlightTestSupport
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Descriptions of untrusted text in logs")
struct HostileDescriptionTests {
    private static let text = "\u{1B}[2J"

    @Test(
        "An error of a log or a fleet escapes the characters that would steer a terminal",
        arguments: [
            "\(DurabilityError.inUse(place: text, holder: text))", "\(DurabilityError.storage(text))",
            "\(DurabilityError.file(call: "open", path: text, code: 2))",
            "\(DurabilityError.damaged(file: text, offset: 0, reason: text))",
            "\(DurabilityError.unreadable(sequence: 1, reason: text))", "\(FleetError.invalidID(text))",
            "\(FleetError.send(id: text, .ended))", "\(FleetError.unopened(.storage(text)))",
            "\(TornEnd(file: text, offset: 0, count: 1))",
        ])
    func escaped(description: String) { expectEscaped(description) }
}
