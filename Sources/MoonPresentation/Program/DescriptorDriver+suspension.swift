#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// When the terminal is somebody else's for a while.
extension DescriptorDriver {
    /// Stops the process until it is continued, with the terminal restored meanwhile.
    ///
    /// - Parameter stop: Sends the signal that stops: to all that were started by the same command, as the terminal itself
    ///   does for Ctrl-Z, or only to this process, if it was only sent to this one.
    func suspend(_ stop: () -> Int32) {
        hide()
        signals.release(SIGTSTP)
        _ = stop()
        // The signal may reach another thread first, and stop this one a little later. When the process is continued, there is
        // mail. If nobody can continue it, the system does not stop it, and nothing comes.
        _ = signals.descriptor.wait(for: POLLIN, 100)
        signals.catchAgain(SIGTSTP)
        show()
        for signal in signals.take() where ![SignalMail.wake, SIGCONT, SIGWINCH, SIGTSTP].contains(signal) {
            session.end(.signal(signal))
        }
    }

    /// Takes the terminal over again, whatever has been done to it.
    func comeBack() {
        session.suspend()
        session.output = []
        show()
    }

    private func hide() {
        session.suspend()
        mode?.dropInput()
        screen.writeAll(session.output, waiting: Self.patience)
        session.output = []
        mode?.leave()
        Restoration.disarm()
    }

    private func show() {
        try? mode?.enter()
        session.resume(size: output.windowSize)
        arm()
    }

    func doErrands() {
        for errand in errands.take() {
            switch errand {
            case .print(let lines): session.print(lines)
            case .send(let bytes): session.send(bytes)
            case .end(let ending): session.end(ending)
            case .lend(let command, let answer): answer(lend(to: command))
            }
        }
    }

    /// Runs another program on the terminal, and waits for its end.
    private func lend(to process: ChildProcess) -> Result<ChildProcess.Exit, SystemError> {
        hide()
        defer { show() }
        // What the user types there is meant for the other program: it alone is interrupted, and both are suspended.
        signals.release(SIGTSTP)
        defer { signals.catchAgain(SIGTSTP) }
        do throws(SystemError) {
            let child = try RunningProcess.start(process, on: .terminal)
            while true {
                if let exit = child.poll() { return .success(exit) }
                guard signals.descriptor.wait(for: POLLIN, 20) else { continue }
                for signal in signals.take() where signal == SIGTERM || signal == SIGHUP {
                    child.signal(signal)
                    session.end(.signal(signal))
                }
            }
        } catch {
            return .failure(error)
        }
    }
}
