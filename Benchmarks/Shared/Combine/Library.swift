@_exported import Harness

// What is in this folder is compiled against either library: the same text, the same work.
#if OPENCOMBINE
    @_exported import OpenCombine

    let library = Contender.openCombine
#else
    @_exported import Moonlight
    @_exported import Streams

    let library = Contender.moonlight
#endif
