import Streams
import Testing

@Suite("Page: Streams")
struct StreamsPage {
    @Test("A subject sends through two operators to a sink")
    func thermometer() {
        let shown = Log<String>()
        let celsius = PassthroughSubject<Double, Never>()
        let display = celsius.removeDuplicates().map { "\($0 * 9 / 5 + 32) °F" }.sink { shown.append($0) }
        celsius.send(20)
        celsius.send(20)
        #expect(shown.items == ["68.0 °F"])
        display.cancel()
    }
}
