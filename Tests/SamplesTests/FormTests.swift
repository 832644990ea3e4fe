import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

@testable import FormSample

@Suite("Samples: form")
struct FormTests {
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
