import MoonPresentation
import MoonPresentationTesting
import MoonlightTestSupport
import MoonlightTesting
import Testing

@testable import FormSample

@Suite("Samples: form")
struct FormTests {
    @Test(
        "An address with several @, or with nothing on one side of it, is invalid",
        arguments: ["ada@@b", "@ada@b", "a@d@a", "ada@"])
    func addresses(_ address: String) {
        var state = Registration()
        state.form = FormState([.user: "Ada", .email: address, .age: "18"])
        update(state: &state, event: .submit)
        expectEqual(state.form.problems, [.email: "an address has one @"])
    }

    @Test("An invalid field shows its error until it is changed, and a valid form ends the program")
    func validation() throws {
        try Plan(program(), size: Size(columns: 40, rows: 12))
            .type("Ada").press(.tab).type("ada").press(.tab).type("17\n")
            .then(\.form.problems, equals: [.email: "an address has one @", .age: "a number from 18 to 130"])
            .frame { try $0.compare(toPictureOf: "form", "A form of three fields, two of which are wrong") }
            .press(.backspace).type("8")
            .then(\.form.problems, equals: [.email: "an address has one @"])
            .hasEnded(false)
            .press(.shift(.tab)).type("@example.org\n")
            .hasEnded()
            .run()
    }
}
