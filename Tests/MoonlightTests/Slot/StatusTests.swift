import Moonlight
import MoonlightTestSupport
import Testing

@Suite("Status of features")
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

    @Test("The status line of a state lists its features in the order of its properties")
    func line() {
        expectEqual(
            Moonlight.statusLine(of: App()),
            "download: busy 40 % · other: missing · login: missing · inner.login: ok · logins: failed 2 ok, 1 failed"
        )
    }

    @Test("Features in an optional part are listed under its name while the part is present")
    func optionalPart() {
        struct House { var inner: Inner? = Inner() }
        expectEqual(Moonlight.statusLine(of: House()), "inner.login: ok")
        expectEqual(Moonlight.statusLine(of: House(inner: nil)), "")
    }

    @Test("The status of a slot whose state has no status is the name of the state")
    func plainSlot() {
        enum Door: Equatable {
            case open(Int)
            case shut
        }
        struct House { var door = Slot(Door.open(3)) }
        expectEqual(Moonlight.statusLine(of: House()), "door: ok open")
    }

    @Test("The status of a dictionary and of a list is the number of elements in each status")
    func collections() {
        struct House {
            var rooms = ["a": Login(), "b": Login(hasFailed: true), "c": Login()]
            var rows = IdentifiedList([Login(), Login()]) { _ in 1 }
            var doors: [String: Login] = [:]
        }
        expectEqual(Moonlight.statusLine(of: House()), "rooms: failed 2 ok, 1 failed · rows: ok 1 ok")
    }

    @Test("The title of a feature is part of the rejection by a violated guard")
    func title() {
        do {
            try Slot<Login>().require()
            Issue.record("not refused")
        } catch {
            expectEqual(error.reason, "the login: expected present, was absent")
        }
    }
}
