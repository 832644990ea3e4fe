import MoonPresentation
import MoonPresentationTesting
import Moonlight
import MoonlightTesting
import Testing

@testable import DownloadSample

@Suite("Samples: download")
struct DownloadTests {
    private let fetch = Stub<String, Int, any Error>("fetch")

    private func plan() throws -> Plan<Downloads, DownloadSample.Event, DownloadSample.Effect, World> {
        try Plan(program(["a", "b", "c", "d"].map { File(id: $0) }, .live), size: Size(columns: 40, rows: 7)) { [fetch] in
            World(fetch: $0.publisher(fetch))
        }
    }

    @Test("Three files are downloaded at a time, and the next download starts when one ends")
    func rules() throws {
        try plan()
            .send(5, from: fetch("a")).send(10, from: fetch("b")).send(50, from: fetch("c"))
            .fork("one is done") {
                $0.finish(fetch("c")).send(1, from: fetch("d")).then(\.files.count, equals: 4)
                    .frame { try $0.compare(toPictureOf: "download", "Four files: three are on their way, one is done") }
                    .ignoringInFlight().ignoringCalls()
            }
            .fail(fetch("b"), with: SystemError(code: 2, attempt: "find b"))
            .send(1, from: fetch("d"))
            .press(.down, "r")
            .then(\.files[id: "b"]?.download, equals: Slot())
            .ignoringInFlight().ignoringCalls()
            .run()
    }

    @Test("A download can be cancelled, and events that its state does not allow are refused")
    func guards() throws {
        try plan()
            .send(5, from: fetch("a")).send(10, from: fetch("b")).send(50, from: fetch("c"))
            .press("c")
            .cancelled(fetch("a"))
            .then(\.files[id: "a"]?.download, equals: Slot(.failed("cancelled")))
            .rejects(.file("a", .cancel), Rejection("a is not being downloaded"))
            .rejects(.file("c", .retry), Rejection("c has not failed"))
            .ignoringInFlight().ignoringCalls()
            .run()
    }
}
