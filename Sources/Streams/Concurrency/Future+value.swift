extension Future {
    private var result: Result<Output, Failure> {
        get async {
            await withUnsafeContinuation { done in
                receive(subscriber: SinkSubscriber(receiveValue: { _ in }, receiveCompletion: { _ in done.resume() }))
            }
            return settled!
        }
    }

    /// The value of the result. Waits until the promise is fulfilled, even if the task is cancelled.
    ///
    /// - Throws: The error of the result.
    @_disfavoredOverload public var value: Output { get async throws(Failure) { try await result.get() } }
}

extension Future where Failure == Never {
    /// The value of the result. Waits until the promise is fulfilled, even if the task is cancelled.
    public var value: Output { get async { await result.get() } }
}
