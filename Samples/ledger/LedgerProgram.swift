import Moonlight
import MoonlightDurability
import MoonlightRecording
import SampleSupport

typealias Book = Store<Ledger, LedgerEvent>

/// Puts the program together.
enum LedgerProgram {
    /// Runs the program.
    ///
    /// - Parameter arguments: The command line, without the name of the program.
    /// - Returns: The exit code.
    static func run(arguments: [String]) throws(UserFacingError) -> Int32 {
        switch try Options.parse(arguments) {
        case .help: return Sample.print(Options.help, of: "ledger")
        case .run(let options):
            // The book itself is recorded, whoever asks for postings.
            let run = try RecordedRun(in: options.record, Recording(of: Ledger.reducer))
            return try run.run("ledger") { () throws(UserFacingError) in
                let book = try Sample.wait(for: { await open(options, run.options()) }).get()
                defer { close(book) }
                return Sample.hasTerminal ? try Sample.show(Desk.program(book)) : Pipe(book).run()
            }
        }
    }

    private static func open(
        _ options: Options, _ loop: LoopOptions<Ledger, LedgerEvent, LedgerEffect>
    ) async -> Result<Book, UserFacingError> {
        do throws(DurabilityError) {
            return .success(
                try await Book(
                    reducer: Ledger.reducer, initialState: Ledger(), environment: (),
                    durable: .folder(options.folder, schema: Schema(LedgerEffect.self), acknowledge: options.acknowledge),
                    options: loop))
        } catch {
            return .failure(UserFacingError(message: "cannot open the book: \(error)", exitCode: ExitCode.unavailable))
        }
    }

    private static func close(_ book: Book) {
        Sample.wait {
            await book.drain(within: nil)
            await book.durability?.closed()
        }
    }
}

/// The answer to a posting, as a line.
func answer(_ key: String, _ result: Result<Void, SendError>) -> String {
    switch result {
    case .success: "ok \(key)"
    case .failure(.rejected(let error)): "refused \(key): \(error)"
    case .failure(let error): "failed \(key): \(error)"
    }
}

extension Book {
    /// Carries out a posting, and returns when it is safe.
    func carryOut(_ posting: Posting, key: String?) async -> Result<Void, SendError> {
        if let key { return await send(.post(posting), key: key) }
        return await send(.post(posting))
    }
}
