/// Where the tasks run that this module starts for `run` and for asynchronous sequences. A test that plays a program step by step
/// takes them to a place of its own, where they run when it says so.
@usableFromInline package enum TaskPlace {
    /// What runs them; nil for the usual place.
    @TaskLocal @usableFromInline package static var executor: (any TaskExecutor)?

    /// Makes a call inside which tasks are taken to a place.
    @usableFromInline package static func with(_ place: (any TaskExecutor)?, _ call: () -> Void) {
        $executor.withValue(place, operation: call)
    }
}
