/// What prevents an exploration from going on.
struct ExplorationFault: Error {
    let message: String
    init(_ message: String) { self.message = message }
}
