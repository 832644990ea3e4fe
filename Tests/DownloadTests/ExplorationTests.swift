import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

import enum MoonPresentation.ListMove

@testable import DownloadSample

private let fetch = Stub<(Source, String), Progress, FetchError>("fetch")
private let report = Stub<Report, Void, Never>("report")
private let offline = FetchError.source("offline")
private func source(_ name: String) -> Source { .file("/from/\(name)") }

/// The list with its rules, and sources that tell of their progress before they end, as all do.
private func exploration(
    _ names: String..., limit: Int, isOpen: Bool = false
) -> Exploration<Downloads, DownloadsEvent, DownloadsEffect, DownloadsEnvironment> {
    var state = Downloads()
    for name in names { state.files.append(Item(id: name, source: source(name))) }
    (state.limit, state.isOpen, state.selected) = (limit, isOpen, names.first)
    return Exploration(
        Downloads.reducer, given: state, key: { "\($0)" },
        feedback: { states, _ in [Rule.events(of: Downloads.rules, from: states)] }
    ) { stubs in
        DownloadsEnvironment(report: stubs.function(report), item: ItemEnvironment(fetch: stubs.publisher(fetch)))
    }
    .answers(fetch) { _ in [.send(Progress(received: 1, total: 2)), .answer(Progress(received: 2, total: 2)), .failure(offline)] }
    .never("more are at work than may be") { $0.atWork > $0.limit }
    .always("the keys are for a file of the list, if there is one") { state in
        state.selected.map { state.files.contains(id: $0) } ?? state.files.isEmpty
    }
}

extension Downloads {
    fileprivate var atWork: Int { files.count { $0.download.state?.isAtWork == true } }

    /// What the user may do to files that are at work, or have failed.
    fileprivate var cancelOrRetry: [DownloadsEvent] {
        files.compactMap { file in
            switch file.download.state {
            case .starting, .running: .file(file.id, .cancel)
            case .failed: .file(file.id, .retry)
            case .completed, nil: nil
            }
        }
    }
}

@Suite("Download: explored")
struct DownloadExplorationTests {
    @Test("Each file gets its turn, and is complete or failed in the end, however others end")
    func turns() throws {
        let report = try exploration("a", "b", limit: 1)
            .events(atMost: Budget.size(2, quick: 1)) { $0.cancelOrRetry }
            .answers(fetch, with: [Progress(received: 2, total: 2)], failing: [offline])
            .eventually("a file that waits has its turn", after: { $0.next != nil }, until: { $0.next == nil })
            .eventually("all is over", until: { $0.isOver })
            .whenQuiet("no file waits, and none is at work") { $0.isOver }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A file that is cancelled or fails on the way can be retried, and then begins anew")
    func onTheWay() throws {
        let report = try exploration("a", limit: 1)
            .events(atMost: Budget.size(3, quick: 2)) { $0.cancelOrRetry }
            .always("what is at work is on its way, what is there is whole") { state in
                switch state.files[id: "a"]?.download.state {
                case .running(let progress): progress.received == 1 || progress.received == 2
                case .completed(let bytes): bytes == 2
                case .failed(let error): error == offline || error == .cancelled
                case .starting, nil: true
                }
            }
            .eventually("all is over", until: { $0.isOver })
            .whenQuiet("all is over") { $0.isOver }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A file that is removed and perhaps added again gets its turn as if it had never been there")
    func removing() throws {
        let report = try exploration("a", limit: 1, isOpen: true)
            .events(atMost: 4) { state in
                guard let file = state.files[id: "a"] else { return [.add(source("a"))] }
                return file.download.state?.isAtWork == true ? [.file("a", .cancel)] : [.remove("a")]
            }
            .answers(fetch, with: [Progress(received: 2, total: 2)], failing: [offline])
            .whenQuiet("no file waits, and none is at work") { $0.next == nil && $0.atWork == 0 }
            .eventually("a file that waits has its turn", after: { $0.next != nil }, until: { $0.next == nil })
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A source that never ends, or a fetch that is cancelled from outside, lets no more begin than are allowed")
    func neverEnds() throws {
        let report = try exploration("a", "b", limit: 1)
            .events([.file("a", .cancel), .close, .select(.down)], atMost: Budget.size(2, quick: 1))
            .allowingRefusals { $0 is Rejection }
            .answers(fetch, never: true) { _ in [.answer(Progress(received: 2, total: 2)), .failure(offline)] }
            .cancelsAnywhere()
            .run()
        expectEqual(report.extent, .exhaustive)
    }
}
