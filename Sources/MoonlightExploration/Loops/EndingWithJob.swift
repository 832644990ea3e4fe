import Moonlight
import Streams

/// A stream that may be known to end as soon as its job does: nothing follows the job.
private protocol EndingWithJob {
    /// True if the stream is that of a job, perhaps after ready values.
    var endsWithJob: Bool { get }
}

extension JobStream: EndingWithJob {
    fileprivate var endsWithJob: Bool { true }
}

extension AnyPublisher: EndingWithJob {
    @usableFromInline var endsWithJob: Bool {
        if case .hidden(let box) = storage { (box as? any EndingWithJob)?.endsWithJob ?? false } else { false }
    }
}

extension HiddenPublisherOf: EndingWithJob {
    fileprivate var endsWithJob: Bool { (publisher as? any EndingWithJob)?.endsWithJob ?? false }
}

extension Publishers.CompactMap: EndingWithJob {
    fileprivate var endsWithJob: Bool { (upstream as? any EndingWithJob)?.endsWithJob ?? false }
}

extension AccompaniedStream: EndingWithJob {
    fileprivate var endsWithJob: Bool { (upstream as? any EndingWithJob)?.endsWithJob ?? false }
}

extension Publishers.Concatenate: EndingWithJob where Prefix.Failure == Never {
    fileprivate var endsWithJob: Bool { prefix.erased.isReady && (suffix as? any EndingWithJob)?.endsWithJob == true }
}
