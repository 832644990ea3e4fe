import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A child process.
final class RunningProcess: Sendable {
    /// The standard descriptors of the process.
    enum Attachment {
        /// Those of this process, whose terminal and process group it shares.
        case terminal
        /// Empty input and two pipes, in a separate process group.
        case pipes(output: Int32, errors: Int32)
    }

    private struct State {
        var exit: ChildProcess.Exit?
        /// Indicates whether the process was asked to end.
        var isUnwanted = false
        /// Indicates whether nothing of the group is left, or it was killed.
        var isGroupOver = false
    }

    let number: pid_t
    private let hasOwnGroup: Bool
    private let state = Lock(State())

    private init(_ number: pid_t, hasOwnGroup: Bool) {
        self.number = number
        self.hasOwnGroup = hasOwnGroup
        if hasOwnGroup { ProcessGroups.add(number) }
    }

    /// Starts a process.
    static func start(_ process: ChildProcess, on attachment: Attachment) throws(SystemError) -> RunningProcess {
        guard process.isPassable else {
            throw SystemError(code: EINVAL, attempt: "start \(process.program) with these arguments and variables")
        }
        #if os(tvOS) || os(watchOS)
            throw SystemError(code: ENOTSUP, attempt: "start \(process.program)")
        #else
            // A process can inherit that this signal is ignored. The system would then drop the end of a child.
            if SignalAction.isIgnored(SIGCHLD) { SignalAction.setDefault(SIGCHLD) }
            #if canImport(Darwin)
                var actions: posix_spawn_file_actions_t? = nil
                var attributes: posix_spawnattr_t? = nil
                let inherited = _NSGetEnviron().pointee
            #else
                var actions = posix_spawn_file_actions_t()
                var attributes = posix_spawnattr_t()
                let inherited = environ
            #endif
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // Ignored and blocked signals are not inherited.
            var all = sigset_t()
            sigfillset(&all)
            sigdelset(&all, SIGKILL)
            sigdelset(&all, SIGSTOP)
            var none = sigset_t()
            sigemptyset(&none)
            posix_spawnattr_setsigdefault(&attributes, &all)
            posix_spawnattr_setsigmask(&attributes, &none)
            var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
            var hasOwnGroup = false
            if case .pipes(let output, let errors) = attachment {
                hasOwnGroup = true
                flags |= Int32(POSIX_SPAWN_SETPGROUP)
                posix_spawnattr_setpgroup(&attributes, 0)
                posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
                posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
                posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
            }
            posix_spawnattr_setflags(&attributes, Int16(flags))
            var words = ([process.program] + process.arguments).map { strdup($0) } + [nil]
            defer { for word in words { free(word) } }
            var variables = process.environment.map { $0.map { strdup("\($0)=\($1)") } + [nil] }
            defer { for variable in variables ?? [] { free(variable) } }
            var number: pid_t = 0
            let result =
                if variables != nil {
                    variables!.withUnsafeMutableBufferPointer {
                        posix_spawnp(&number, process.program, &actions, &attributes, &words, $0.baseAddress!)
                    }
                } else {
                    posix_spawnp(&number, process.program, &actions, &attributes, &words, inherited)
                }
            guard result == 0 else { throw SystemError(code: result, attempt: "start \(process.program)") }
            return RunningProcess(number, hasOwnGroup: hasOwnGroup)
        #endif
    }

    /// The end of the process; nil while it runs.
    func poll() -> ChildProcess.Exit? { state.withLock { exit(&$0) } }

    /// Waits for the end of the process.
    func wait() -> ChildProcess.Exit {
        // The process is not reaped yet, so that its number stays valid for signals.
        var info = siginfo_t()
        while waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return state.withLock { exit(&$0) ?? .unknown }
    }

    /// Waits, after the end of a process that was asked to end, for its remaining children in the group, which may still clean up.
    func waitForGroup() {
        guard hasOwnGroup else { return }
        // They are not children of this process, so that the system does not report their end. Numbers are assigned in turn: this
        // one cannot become another group between two looks.
        while state.withLock({ $0.isUnwanted && !$0.isGroupOver }), kill(-number, 0) == 0 { usleep(20_000) }
        state.withLock { $0.isGroupOver = true }
        ProcessGroups.remove(number)
    }

    private func exit(_ state: inout State) -> ChildProcess.Exit? {
        if let exit = state.exit { return exit }
        var status: Int32 = 0
        let result = waitpid(number, &status, WNOHANG)
        if result == 0 { return nil }
        let exit = result == number ? ChildProcess.Exit(status: status) : .unknown
        state.exit = exit
        return exit
    }

    /// Sends a signal to the process, or to its group if that is separate.
    func signal(_ signal: Int32) {
        state.withLock { state in
            if signal == SIGTERM || signal == SIGKILL { state.isUnwanted = true }
            guard hasOwnGroup ? !state.isGroupOver : state.exit == nil else { return }
            kill(hasOwnGroup ? -number : number, signal)
            if signal == SIGKILL { state.isGroupOver = true }
        }
    }
}
