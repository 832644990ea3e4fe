/// The executor of the tasks that this module starts for `run` and for asynchronous sequences. A test that runs a program step by
/// step sets its own executor, and so decides when the tasks run.
@usableFromInline package enum TaskPlace {
    /// The executor; nil for the default one.
    @TaskLocal @usableFromInline package static var executor: (any TaskExecutor)?

    /// Calls a closure during which tasks are started on the given executor; nil for the default one.
    @usableFromInline package static func with(_ place: (any TaskExecutor)?, _ call: () -> Void) {
        $executor.withValue(place, operation: call)
    }
}
