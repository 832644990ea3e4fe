import Moonlight
import SampleSupport

/// The app's controller: makes what it needs, and starts it.
enum CarsProgram {
    /// Runs the program.
    ///
    /// - Parameter arguments: The command line, without the name of the program.
    /// - Returns: The exit code.
    static func run(arguments: [String]) throws(UserFacingError) -> Int32 {
        switch try Options.parse(arguments) {
        case .help: return Sample.print(Options.help, of: "cars")
        case .run(let options):
            let data = try options.data()
            let run = try RecordedRun(in: options.record)
            let actions = run.actions(Actions(data))
            return try run.run("cars") { () throws(UserFacingError) in
                Sample.hasTerminal
                    ? try Sample.show(AppView.program(actions, run.options())) : Pipe().run(actions, run.options())
            }
        }
    }

    /// Why an event was refused, in words for the user.
    static func reason(_ error: any Error) -> String {
        guard let rejection = error as? Rejection else { return "\(error)" }
        return rejection.kind == .absentChild ? "that is not on the screen" : rejection.reason
    }
}

extension Actions {
    /// Actions on files.
    init(_ data: DataProvider) {
        self.init(
            getCars: { () throws(DataError) in try await offload { _ throws(DataError) in try data.allCars() } },
            getOrders: { () throws(DataError) in try await offload { _ throws(DataError) in try data.allOrders() } },
            makeOrder: { order throws(DataError) in try await offload { _ throws(DataError) in try data.keep(order) } })
    }
}
