import SampleSupport

/// Puts the program together.
enum BasketProgram {
    /// Runs the program.
    ///
    /// - Parameter arguments: The command line, without the name of the program.
    /// - Returns: The exit code.
    static func run(arguments: [String]) throws(UserFacingError) -> Int32 {
        switch try Options.parse(arguments) {
        case .help: return Sample.print(Options.help, of: "basket")
        case .run(let options):
            let shop = try options.shop()
            let run = try RecordedRun(in: options.record)
            let environment = run.environment(.live(shop))
            return try run.run("basket") { () throws(UserFacingError) in
                Sample.hasTerminal
                    ? try Sample.show(BasketView.program(environment, run.options())) : Pipe().run(environment, run.options())
            }
        }
    }
}
