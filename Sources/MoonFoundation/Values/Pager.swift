/// A long list that is fetched a page at a time: a plain value that creates the requests and receives the answers.
///
/// ```swift
/// case .moreWanted: state.pager.requestNext()           // in `apply`
/// case .answered(let request, .success(let items)): state.pager.receive(items, for: request)
/// case .answered(let request, .failure(let error)): state.pager.fail(error, for: request)
/// ```
///
/// The pager does no work itself. The code that observes ``pending`` fetches the page, for instance a reaction whose key it is.
///
/// - At most one page is pending. While one is, a further request changes nothing.
/// - An empty page ends the list.
/// - An error leaves the items unchanged, and the same page may be requested again.
/// - An answer to any request but the pending one is ignored, such as one from before a ``reset()`` or a ``cancel()``. For that
///   purpose, no two requests of a pager are equal, even for the same page.
public struct Pager<Item, Failure: Error> {
    /// A request for a page.
    public struct Request: Hashable, Sendable {
        /// The number of the page, counted from 0.
        public let page: Int
        /// The number of items before the page, including those before the start offset; at most `Int.max`.
        public let offset: Int
        /// The number of items to fetch; the page may have fewer.
        public let limit: Int
        /// A number that distinguishes requests for the same page.
        let attempt: Int
    }

    enum Phase: Sendable {
        /// The next page may be requested.
        case ready
        /// A page is being fetched: that of the last attempt.
        case loading
        /// The last request failed and may be made again.
        case failed(Failure)
        /// An empty page was received: there are no more items.
        case finished
    }

    /// The number of items to request for each page.
    private let pageSize: Int
    /// The offset in the whole list at which the first page starts.
    private let startOffset: Int
    /// The items received so far.
    public private(set) var items: [Item] = []
    private var phase: Phase = .ready
    private var pages = 0
    /// The number of requests so far.
    private var attempts = 0

    private enum CodingKeys: String, CodingKey {
        case pageSize
        case startOffset
        case items
        case phase
        case pages
        case attempts
    }

    /// Creates a pager without items.
    ///
    /// - Parameters:
    ///   - pageSize: The number of items to request for each page; at least one is used.
    ///   - startOffset: The offset in the whole list at which to start; at least zero is used.
    public init(pageSize: Int, startOffset: Int = 0) {
        self.pageSize = max(1, pageSize)
        self.startOffset = max(0, startOffset)
    }

    /// The pending request, if there is one.
    public var pending: Request? {
        if case .loading = phase { request(attempts) } else { nil }
    }

    /// True while a page is being fetched.
    package var isLoading: Bool { pending != nil }

    /// True once an empty page was received.
    public var isFinished: Bool {
        if case .finished = phase { true } else { false }
    }

    /// The error of the last request, until the next request is made.
    public var error: Failure? {
        if case .failed(let error) = phase { error } else { nil }
    }

    /// The request that ``requestNext()`` would make; nil while one is pending, and after the last page.
    public var next: Request? {
        switch phase {
        case .loading, .finished: nil
        // Wraps around: a number that was decoded from a file may be any.
        case .ready, .failed: request(attempts &+ 1)
        }
    }

    /// Returns the request for the page after the items.
    private func request(_ attempt: Int) -> Request {
        let (offset, overflow) = startOffset.addingReportingOverflow(items.count)
        return Request(page: pages, offset: overflow ? .max : offset, limit: pageSize, attempt: attempt)
    }

    /// Requests the next page, or the page of a failed request again.
    ///
    /// - Returns: The request, which is now ``pending``. Nil, without a change, while one is pending and after the last page.
    @discardableResult
    public mutating func requestNext() -> Request? {
        guard let next else { return nil }
        attempts = next.attempt
        phase = .loading
        return next
    }

    /// Receives a page; an empty one ends the list.
    ///
    /// - Parameters:
    ///   - page: The items of the page.
    ///   - request: The request that it answers.
    /// - Returns: True if `request` is the pending one; if not, nothing changes.
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

    /// Receives an error; the same page may be requested again.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - request: The request that failed.
    /// - Returns: True if `request` is the pending one; if not, nothing changes.
    @discardableResult
    public mutating func fail(_ error: Failure, for request: Request) -> Bool {
        guard request == pending else { return false }
        phase = .failed(error)
        return true
    }

    /// Abandons the pending request, if there is one. Its answer will be ignored, and the page may be requested again.
    public mutating func cancel() {
        if isLoading { phase = .ready }
    }

    /// Returns to the start, without items. The answer to a pending request will be ignored.
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
    /// Decodes a pager. Sizes and offsets that are out of range are treated as ``init(pageSize:startOffset:)`` treats them.
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
