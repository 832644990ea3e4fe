import MoonFoundation
import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct Offline: Error, Hashable {}

// MARK: Pager

private let list = [10, 11, 12]
private let page = Stub<(Int, Int), [Int], Offline>("page")

private struct Pages: Sendable { var page: @Sendable (Int, Int) -> AnyPublisher<[Int], Offline> }
private typealias Lines = Pager<Int, Offline>
private enum PagerEvent: Hashable { case more, cancel, reset }

private enum PagerEffect {
    case requested, cancelled, reset
    case answered(Lines.Request, number: Int, Result<[Int], Offline>)
}

/// A pager, with the facts about its requests that a property needs.
private struct Listing: Hashable {
    var pager = Lines(pageSize: 2)
    /// The number of requests so far.
    var requests = 0
    /// True if a late answer was taken, one that is not to the last request.
    var hasTakenLateAnswer = false
}

/// A list that leaves everything to the pager: answers to cancelled requests still arrive.
private let paging = Reducer<Listing, PagerEvent, PagerEffect, Pages>(
    transform: { list, event, pages in
        switch event {
        case .more:
            guard let request = list.pager.next else { return Empty().eraseToAnyPublisher() }
            let number = list.requests + 1
            return pages.page(request.offset, request.limit).asResult().map { .answered(request, number: number, $0) }
                .prepend(.requested).eraseToAnyPublisher()
        case .cancel: return .just(.cancelled)
        case .reset: return .just(.reset)
        }
    },
    apply: { (list: inout Listing, effect: PagerEffect) in
        switch effect {
        case .requested:
            list.pager.requestNext()
            list.requests += 1
        case .cancelled: list.pager.cancel()
        case .reset: list.pager.reset()
        case .answered(let request, let number, let result):
            let isTaken =
                switch result {
                case .success(let items): list.pager.receive(items, for: request)
                case .failure(let error): list.pager.fail(error, for: request)
                }
            if isTaken, number != list.requests { list.hasTakenLateAnswer = true }
        }
    })

private func paging(atMost count: Int? = nil, _ events: [PagerEvent]) -> Exploration<Listing, PagerEvent, PagerEffect, Pages> {
    Exploration(paging, given: Listing()) { Pages(page: $0.publisher(page)) }
        .events(events, atMost: count)
        .answers(page) { offset, limit in [.answer(Array(list.dropFirst(offset).prefix(limit))), .failure(Offline())] }
}

// MARK: Loadable

private let find = Stub<String, String, Offline>("find")
private struct Finder: Sendable { var find: @Sendable (String) async throws(Offline) -> String }

private struct Finding: Hashable {
    var query = ""
    var answer = Loadable<String, Offline>.idle
}

private enum FindEvent: Hashable {
    case find(String)
    case cancel
}
private enum FindEffect {
    case began(String)
    case finished(Result<String, Offline>)
    case cancelled
}

private func finding(cancelsWork: Bool = true) -> Reducer<Finding, FindEvent, FindEffect, Finder> {
    Reducer(
        transform: { _, event, finder in
            switch event {
            case .find(let query):
                return AnyPublisher.run { send in
                    let result: Result<String, Offline>
                    do throws(Offline) { result = .success(try await finder.find(query)) } catch { result = .failure(error) }
                    send(.finished(result))
                }
                .job("find", .latest).prepend(.began(query)).eraseToAnyPublisher()
            case .cancel:
                let cancelled = AnyPublisher<FindEffect, Never>.just(.cancelled)
                return cancelsWork ? AnyPublisher.cancelJob("find").append(cancelled).eraseToAnyPublisher() : cancelled
            }
        },
        apply: { (state: inout Finding, effect: FindEffect) in
            switch effect {
            case .began(let query):
                // The value of another query is no previous value.
                if query != state.query { state = Finding(query: query) }
                state.answer.startLoading()
            case .finished(let result): state.answer.finish(with: result)
            case .cancelled:
                guard case .loading(let previous) = state.answer else { return }
                state.answer = previous.map { .loaded($0) } ?? .idle
            }
        })
}

private func finding(
    cancelsWork: Bool = true, _ events: [FindEvent] = [.find("mo"), .find("moon"), .cancel]
) -> Exploration<Finding, FindEvent, FindEffect, Finder> {
    Exploration(finding(cancelsWork: cancelsWork), given: Finding()) { Finder(find: $0.async(find)) }
        .events(events)
        .answers(find) { [.answer("\($0)!"), .failure(Offline())] }
}

@Suite("Exploration: `Pager` and `Loadable`")
struct FetchedValueExplorationTests {
    @Test("A pager's items are always a prefix of the list, in any order of requests, cancellations, late answers and failures")
    func pager() throws {
        let report = try paging(atMost: 4, [.more, .cancel, .reset])
            .always("there is no hole, and nothing twice") { $0.pager.items == Array(list.prefix($0.pager.items.count)) }
            .always("a request is for what comes next") {
                ($0.pager.pending?.offset ?? $0.pager.items.count) == $0.pager.items.count
            }
            .always("it ends at the end") { !$0.pager.isFinished || $0.pager.items == list }
            .never("an answer is taken that is not to the last request") { $0.hasTakenLateAnswer }
            .eventually("a page comes, or fails", after: { $0.pager.isLoading }, until: { !$0.pager.isLoading })
            .whenQuiet("nothing is left spinning") { !$0.pager.isLoading }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A pager whose requests succeed can always load the whole list by requesting more")
    func wholeList() throws {
        let report = try paging([.more])
            .answers(page) { offset, limit in [.answer(Array(list.dropFirst(offset).prefix(limit)))] }
            .events { $0.pager.isFinished ? [] : [.more] }
            .always("no more is taken than there is") { $0.pager.items.count <= list.count }
            .canAlways("have all, and know it") { $0.pager.items == list && $0.pager.isFinished }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A Loadable shows the answer to the current question, keeps it during a reload, and can always be loaded")
    func loadable() throws {
        let report = try finding()
            .always("an answer belongs to the question") {
                $0.answer.value.map { [query = $0.query] in $0 == "\(query)!" } ?? true
            }
            .eventually("loading ends", after: { $0.answer.isLoading }, until: { !$0.answer.isLoading })
            .whenQuiet("nothing is left spinning") { !$0.answer.isLoading }
            .canAlways("be loaded") { ($0.answer.value != nil || $0.answer.error != nil) && !$0.answer.isLoading }
            .limited(nodes: 5000)
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A Loadable whose loading is cancelled while the work stays in flight still shows the answer")
    func workInFlight() throws {
        let failure = #expect(throws: ExplorationFailure.self) {
            let watched = finding(cancelsWork: false, [.find("mo"), .cancel])
            try watched.events(atMost: 2) { $0.query == "" ? [.find("mo")] : [.cancel] }
                .answers(find, with: ["mo!"])
                .whenQuiet("a cancelled value is not shown") { $0.answer.value == nil }
                .run()
        }
        expectEqual(failure?.name, "e0 a0.0")
    }
}
