@_exported import Harness

// The files of this folder are compiled against both libraries, so that the work is the same.
#if OPENCOMBINE
    @_exported import OpenCombine

    let library = Contender.openCombine
#else
    @_exported import Moonlight
    @_exported import Streams

    let library = Contender.moonlight
#endif
