// Several subjects that send alternately.

func combining() -> [Work] {
    var works = [
        Work.prepared(.merge, library) { () -> (Int) -> Void in
            let total = total
            let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
            let (a, b, c, d) = (subjects[0], subjects[1], subjects[2], subjects[3])
            #if OPENCOMBINE
                // OpenCombine has no merge; this is the usual substitute.
                let sink = subjects.publisher.flatMap { $0 }.sink { mix($0, into: total) }
            #else
                let sink = a.merge(with: b, c, d).sink { mix($0, into: total) }
            #endif
            return { n in
                withExtendedLifetime(sink) {
                    for i in 0..<(n / 4) {
                        a.send(i)
                        b.send(i)
                        c.send(i)
                        d.send(i)
                    }
                }
            }
        },
        Work.prepared(.zip, library) { () -> (Int) -> Void in
            let total = total
            let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
            let sink = a.zip(b).sink { mix($0 &+ $1, into: total) }
            return { n in
                withExtendedLifetime(sink) {
                    for i in 0..<n {
                        a.send(i)
                        b.send(i)
                    }
                }
            }
        },
    ]
    #if !OPENCOMBINE
        works.insert(combineLatest, at: 1)
    #endif
    return works
}

#if !OPENCOMBINE
    private var combineLatest: Work {
        Work.prepared(.combineLatest, library) { () -> (Int) -> Void in
            let total = total
            let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
            let (a, b, c) = (subjects[0], subjects[1], subjects[2])
            let sink = a.combineLatest(b, c).sink { mix($0 &+ $1 &+ $2, into: total) }
            return { n in
                withExtendedLifetime(sink) {
                    for i in 0..<(n / 3) {
                        a.send(i)
                        b.send(i)
                        c.send(i)
                    }
                }
            }
        }
    }
#endif
