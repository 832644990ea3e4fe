import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import SampleLoopback
import Streams
import Testing

import enum MoonPresentation.ListMove

@testable import DownloadSample

private let fetch = Stub<(Source, String), Progress, FetchError>("fetch")
private let report = Stub<Report, Void, Never>("report")
private func source(_ name: String) -> Source { .file("/from/\(name)") }

/// The list with its rules, and nothing behind it.
private func plan(
    _ names: String..., limit: Int = 3, isOpen: Bool = false
) -> Plan<Downloads, DownloadsEvent, DownloadsEffect, DownloadsEnvironment> {
    var state = Downloads()
    for name in names { state.files.append(Item(id: name, source: source(name))) }
    (state.limit, state.isOpen, state.selected) = (limit, isOpen, names.first)
    return Plan(
        Downloads.reducer, given: state,
        feedback: { states, _ in [Rule.events(of: Downloads.rules, from: states)] },
        environment: { stubs in
            DownloadsEnvironment(report: stubs.function(report), item: ItemEnvironment(fetch: stubs.publisher(fetch)))
        })
}

extension Downloads {
    fileprivate var moves: [Download?] { files.map(\.download.state) }
}

@Suite("Download: scenarios")
struct DownloadsTests {
    @Test("A download starts, makes progress and is completed, and rules report it (UniFlow's scenario)")
    func story() throws {
        try plan("a")
            .then(\.moves, equals: [.starting])
            .send(Progress(total: 200), from: fetch(source("a"), "a"))
            .then(\.moves, equals: [.running(Progress(total: 200))])
            .expect(report(.file("a", .begun)))
            .send(Progress(received: 50, total: 200), from: fetch(source("a"), "a"))
            .expect(report(.file("a", .percent(25))))
            .finish(fetch(source("a"), "a"))
            .then(\.moves, equals: [.completed(bytes: 50)])
            .expect(report(.file("a", .completed(bytes: 50))))
            .expect(report(.over(isComplete: true)))
            .inFlight()
            .run()
    }

    @Test("As many files are at work as are allowed, and the next begins when one ends in any way")
    func queue() throws {
        let offline = FetchError.source("offline")
        try plan("a", "b", "c", "d", limit: 2)
            .then(\.moves, equals: [.starting, .starting, nil, nil])
            .fail(fetch(source("b"), "b"), with: offline)
            .then(\.moves, equals: [.starting, .failed(offline), .starting, nil])
            .send(Progress(total: 1), from: fetch(source("c"), "c"))
            .finish(fetch(source("c"), "c"))
            .then(\.moves, equals: [.starting, .failed(offline), .completed(bytes: 0), .starting])
            .when(.file("a", .cancel))
            .cancelled(fetch(source("a"), "a"))
            .fail(fetch(source("d"), "d"), with: offline)
            .ignoringCalls(of: "report")
            .then(\.isOver, equals: true)
            .run()
    }

    @Test("A failed download that is retried waits for its turn")
    func retry() throws {
        try plan("a", "b", limit: 1)
            .fail(fetch(source("a"), "a"), with: .source("offline"))
            .expect(report(.file("a", .failed(.source("offline")))))
            .when(.file("a", .retry))
            .then(\.moves, equals: [nil, .starting])
            .fail(fetch(source("b"), "b"), with: .source("gone"))
            .then(\.moves, equals: [.starting, .failed(.source("gone"))])
            .send(Progress(), from: fetch(source("a"), "a"))
            .finish(fetch(source("a"), "a"))
            .ignoringCalls(of: "report")
            .then(\.isComplete, equals: false)
            .run()
    }

    @Test("An event that a feature's state does not allow is refused, and nothing happens")
    func illegalMoves() throws {
        try plan("a", isOpen: true)
            .rejects(.file("a", .start)) { try expectGuard($0, expected: "absent", actual: "starting") }
            .rejects(.file("a", .retry)) { try expectGuard($0, expected: "failed", actual: "starting") }
            .rejects(.remove("a"), Rejection("a is at work: cancel it first"))
            .rejects(.file("x", .cancel)) { expectEqual(($0 as? Rejection)?.kind, .absentChild) }
            .rejects(.add(source("a")), Rejection("a is in the list already"))
            .rejects(.add(.file("/")), Rejection("there is no name in it"))
            .send(Progress(), from: fetch(source("a"), "a"))
            .finish(fetch(source("a"), "a"))
            .rejects(.file("a", .cancel)) { try expectGuard($0, expected: "one at work", actual: "completed") }
            .ignoringCalls(of: "report")
            .run()
    }

    @Test("A cancelled download has failed, its fetch is cancelled, and what that still sends is ignored")
    func cancel() throws {
        try plan("a")
            .send(Progress(total: 9), from: fetch(source("a"), "a"))
            .when(.file("a", .cancel))
            .emits(.file("a", .failed(.cancelled)))
            .cancelled(fetch(source("a"), "a"))
            .inFlight()
            .then(\.moves, equals: [.failed(.cancelled)])
            .ignoringCalls(of: "report")
            .run()
    }

    @Test("Files can be added while others are at work, and the end is reported when no more can be added")
    func adding() throws {
        try plan(isOpen: true)
            .when(.add(source("a")))
            .then(\.selected, equals: "a")
            .send(Progress(), from: fetch(source("a"), "a"))
            .finish(fetch(source("a"), "a"))
            .expect(report(.file("a", .begun)))
            .expect(report(.file("a", .completed(bytes: 0))))
            .expectNoCalls()
            .when(.close)
            .expect(report(.over(isComplete: true)))
            .run()
    }

    @Test("The selection moves within the list, and to the neighbour when its file is removed")
    func selection() throws {
        try plan("a", "b", "c", limit: 1)
            .when(.select(.down)).when(.select(.down)).when(.select(.by(5)))
            .then(\.selected, equals: "c")
            .when(.remove("c"))
            .then(\.selected, equals: "b")
            .when(.select(.by(-9)))
            .then(\.selected, equals: "a")
            .when(.file("a", .cancel)).cancelled(fetch(source("a"), "a"))
            .when(.remove("a"))
            .then(\.selected, equals: "b")
            .when(.file("b", .cancel)).cancelled(fetch(source("b"), "b"))
            .when(.remove("b"))
            .then(\.selected, equals: nil)
            .rejects(.select(.down), Rejection("there is nothing to select"))
            .ignoringCalls(of: "report")
            .run()
    }
}

private func expectGuard(_ error: any Error, expected: String, actual: String) throws {
    expectEqual((error as? Rejection)?.kind, .brokenGuard(feature: "Download", expected: expected, actual: actual))
}
