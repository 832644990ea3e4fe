/// Fetches a long list a page at a time: a plain value that says what to ask for next, and takes the answers.
///
/// ```swift
/// case .moreWanted: state.pager.requestNext()           // in `apply`
/// case .answered(let request, .success(let items)): state.pager.receive(items, for: request)
/// case .answered(let request, .failure(let error)): state.pager.fail(error, for: request)
/// ```
/// The work itself belongs to whoever sees ``pending`` appear, for instance a reaction whose key it is.
///
/// - One page at a time: while one is pending, asking again changes nothing.
/// - An empty page is the end.
/// - An error leaves the items as they are, and the same page may be asked for again.
/// - An answer to anything but the pending request is ignored: it comes from before a ``reset()`` or a ``cancel()``.
///   For that, no two requests of a pager are equal, even for the same page.
public struct Pager<Item, Failure: Error> {
    /// A page to be fetched.
    public struct Request: Hashable, Sendable, Codable {
        /// The page's number, counted from 0.
        public let page: Int
        /// How many items come before it, those before the start offset too; at most `Int.max`.
        public let offset: Int
        /// How many items to ask for; fewer may come.
        public let limit: Int
        let attempt: Int
    }

    /// What the pager is about.
    public enum Phase: Sendable {
        /// The next page may be asked for.
        case ready
        /// A page is on its way.
        case loading(Request)
        /// The last request failed; it may be made again.
        case failed(Failure)
        /// An empty page has come: there are no more.
        case finished
    }

    /// How many items a page is to have.
    public let pageSize: Int
    /// Where in the whole list the first page starts.
    public let startOffset: Int
    /// What has come so far.
    public private(set) var items: [Item] = []
    /// What the pager is about.
    public private(set) var phase: Phase = .ready
    private var pages = 0
    private var attempts = 0

    private enum CodingKeys: String, CodingKey { case pageSize, startOffset, items, phase, pages, attempts }

    /// A pager that has nothing yet.
    ///
    /// - Parameters:
    ///   - pageSize: How many items to ask for at a time; less than one is taken as one.
    ///   - startOffset: Where in the whole list to start; less than zero is taken as zero.
    public init(pageSize: Int, startOffset: Int = 0) {
        self.pageSize = max(1, pageSize)
        self.startOffset = max(0, startOffset)
    }

    /// The request under way.
    public var pending: Request? {
        if case .loading(let request) = phase { request } else { nil }
    }

    /// Whether a page is on its way.
    public var isLoading: Bool { pending != nil }

    /// Whether an empty page has come.
    public var isFinished: Bool {
        if case .finished = phase { true } else { false }
    }

    /// Why the last request failed, until the next one is made.
    public var error: Failure? {
        if case .failed(let error) = phase { error } else { nil }
    }

    /// The request that ``requestNext()`` would make; nil while one is pending, and at the end.
    public var next: Request? {
        switch phase {
        case .loading, .finished: nil
        case .ready, .failed:
            Request(page: pages, offset: offset, limit: pageSize, attempt: attempts)
        }
    }

    private var offset: Int {
        let (sum, overflow) = startOffset.addingReportingOverflow(items.count)
        return overflow ? .max : sum
    }

    /// Makes the next request, or the failed one again.
    ///
    /// - Returns: The request, now ``pending``; nil, and nothing changed, while one is pending, and at the end.
    @discardableResult
    public mutating func requestNext() -> Request? {
        guard let next else { return nil }
        // Counted round, as numbers that were read from a file may be any.
        attempts &+= 1
        phase = .loading(next)
        return next
    }

    /// Takes a page; an empty one is the end.
    ///
    /// - Returns: Whether it was the answer to the pending request; nothing changes if not.
    /// - Complexity: O(k), where k is the number of new items.
    @discardableResult
    public mutating func receive(_ page: some Sequence<Item>, for request: Request) -> Bool {
        guard request == pending else { return false }
        let before = items.count
        items.append(contentsOf: page)
        if pages < .max { pages += 1 }
        phase = items.count == before ? .finished : .ready
        return true
    }

    /// Takes an error; the same page may be asked for again.
    ///
    /// - Returns: Whether it was the answer to the pending request; nothing changes if not.
    @discardableResult
    public mutating func fail(_ error: Failure, for request: Request) -> Bool {
        guard request == pending else { return false }
        phase = .failed(error)
        return true
    }

    /// Gives up the pending request, if there is one; its answer is ignored, and the page may be asked for again.
    public mutating func cancel() {
        if isLoading { phase = .ready }
    }

    /// Back to the start, with no items; an answer still under way is ignored.
    public mutating func reset() {
        items = []
        pages = 0
        phase = .ready
    }
}

extension Pager.Phase: Equatable where Failure: Equatable {}
extension Pager.Phase: Hashable where Failure: Hashable {}
extension Pager.Phase: Encodable where Failure: Encodable {}
extension Pager.Phase: Decodable where Failure: Decodable {}

extension Pager: Equatable where Item: Equatable, Failure: Equatable {}
extension Pager: Hashable where Item: Hashable, Failure: Hashable {}
extension Pager: Sendable where Item: Sendable {}
extension Pager: Encodable where Item: Encodable, Failure: Encodable {}
extension Pager: Decodable where Item: Decodable, Failure: Decodable {
    /// Reads a pager; sizes and offsets out of range are taken as ``init(pageSize:startOffset:)`` takes them.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            pageSize: try container.decode(Int.self, forKey: .pageSize),
            startOffset: try container.decode(Int.self, forKey: .startOffset))
        items = try container.decode([Item].self, forKey: .items)
        phase = try container.decode(Phase.self, forKey: .phase)
        pages = max(0, try container.decode(Int.self, forKey: .pages))
        attempts = try container.decode(Int.self, forKey: .attempts)
    }
}
