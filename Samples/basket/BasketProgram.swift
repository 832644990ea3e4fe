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
            let environment = BasketEnvironment.live(try options.shop())
            return Sample.hasTerminal ? try Sample.show(BasketView.program(environment)) : Pipe().run(environment)
        }
    }
}
