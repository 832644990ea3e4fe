import Terminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

StandardStreams.prepare()
exit(History.run(arguments: Array(CommandLine.arguments.dropFirst())))
