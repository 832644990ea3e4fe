/// Where the tasks run that this module starts for `run` and for asynchronous sequences. A test that plays a program step by step
/// takes them to a place of its own, where they run when it says so.
package enum TaskPlace {
    /// What runs them; nil for the usual place.
    @TaskLocal package static var executor: (any TaskExecutor)?
}
