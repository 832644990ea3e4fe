import Streams

/// A stream that may be a job, which can be told before it is subscribed to.
protocol NamedStream {
    /// The name of the job; nil if it is none.
    var jobID: JobID? { get }
}

extension Publishers.Job: NamedStream {
    var jobID: JobID? { id }
}

extension AnyPublisher: NamedStream {
    var jobID: JobID? { if case .hidden(let box) = storage { (box as? any NamedStream)?.jobID } else { nil } }
}

extension Publishers.Map: NamedStream where Upstream: NamedStream {
    var jobID: JobID? { upstream.jobID }
}

extension HiddenPublisherOf: NamedStream where P: NamedStream {
    var jobID: JobID? { base?.jobID }
}
