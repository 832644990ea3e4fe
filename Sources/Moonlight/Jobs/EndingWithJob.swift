import Streams

/// A stream that may be known to end as soon as its job does: nothing follows the job.
protocol EndingWithJob {
    /// True if the stream is that of a job, perhaps after ready values.
    var endsWithJob: Bool { get }
}

extension JobStream: EndingWithJob {
    var endsWithJob: Bool { true }
}

extension AnyPublisher: EndingWithJob {
    @usableFromInline package var endsWithJob: Bool {
        if case .hidden(let box) = storage { (box as? any EndingWithJob)?.endsWithJob ?? false } else { false }
    }
}

extension HiddenPublisherOf: EndingWithJob {
    var endsWithJob: Bool { (publisher as? any EndingWithJob)?.endsWithJob ?? false }
}

extension Publishers.CompactMap: EndingWithJob {
    var endsWithJob: Bool { (upstream as? any EndingWithJob)?.endsWithJob ?? false }
}

extension Publishers.Concatenate: EndingWithJob where Prefix.Failure == Never {
    var endsWithJob: Bool {
        prefix.erased.isReady && (suffix as? any EndingWithJob)?.endsWithJob == true
    }
}
