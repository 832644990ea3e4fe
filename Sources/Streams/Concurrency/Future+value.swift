extension Future {
    private var result: Result<Output, Failure> {
        get async {
            await withUnsafeContinuation { done in
                receive(subscriber: SinkSubscriber(receiveValue: { _ in }, receiveCompletion: { _ in done.resume() }))
            }
            return settled!
        }
    }

    /// The value, once it is there, or the error thrown. It waits for the promise to be kept, also in a cancelled task.
    @_disfavoredOverload public var value: Output { get async throws(Failure) { try await result.get() } }
}

extension Future where Failure == Never {
    /// The value, once it is there. It waits for the promise to be kept, also in a cancelled task.
    public var value: Output { get async { await result.get() } }
}
