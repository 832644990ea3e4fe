import Moonlight
import Testing

@Suite("Status")
struct StatusTests {
    private struct Login: Equatable, StatusReporting {
        var hasFailed = false
        var indicator: StatusIndicator { hasFailed ? .failed : .ok }
        static var title: String { "the login" }
    }
    private struct Inner { var login: Login? = Login() }
    private struct App {
        var name = "app"
        var download = Slot(FileDownloading.inProgress(.init(percent: 40)))
        var other = Slot<Int>()
        var login: Login?
        var inner = Inner()
        var logins = [Login(), Login(hasFailed: true), Login()]
        var numbers = [1, 2]
    }

    @Test("of all features of a state is one line, in the order of its properties")
    func line() {
        #expect(
            Moonlight.statusLine(of: App())
                == "download: busy 40 % · other: missing · login: missing · inner.login: ok · logins: failed 2 ok, 1 failed"
        )
    }

    @Test("features are found inside an optional part, under its name, as long as that is there")
    func optionalPart() {
        struct House { var inner: Inner? = Inner() }
        #expect(Moonlight.statusLine(of: House()) == "inner.login: ok")
        #expect(Moonlight.statusLine(of: House(inner: nil)) == "")
    }

    @Test("of a slot whose state says nothing of itself is the state's name")
    func plainSlot() {
        enum Door: Equatable {
            case open(Int)
            case shut
        }
        struct House { var door = Slot(Door.open(3)) }
        #expect(Moonlight.statusLine(of: House()) == "door: ok open")
    }

    @Test("of a dictionary and a list with ids is told how many are in each status")
    func collections() {
        struct House {
            var rooms = ["a": Login(), "b": Login(hasFailed: true), "c": Login()]
            var rows = IdentifiedList([Login(), Login()]) { _ in 1 }
            var doors: [String: Login] = [:]
        }
        #expect(Moonlight.statusLine(of: House()) == "rooms: failed 2 ok, 1 failed · rows: ok 1 ok")
    }

    @Test("A title names the feature where a guard is broken")
    func title() {
        do {
            try Slot<Login>().require()
            Issue.record("not refused")
        } catch {
            #expect(error.reason == "the login: expected present, was absent")
        }
    }

    @Test("Indicators are ordered by how much they are worth looking at")
    func order() {
        let order = [StatusIndicator.ok, .busy, .missing, .failed]
        for (place, one) in order.enumerated() {
            for (otherPlace, other) in order.enumerated() { #expect((one < other) == (place < otherPlace)) }
        }
    }
}
