// One stream per value.

func flattening() -> [Work] {
    [
        Work(.flatMapJust, library) { n in
            let total = total
            _ = (0..<n).publisher.flatMap { Just($0 &+ 1) }.sink { mix($0, into: total) }
        },
        Work(.flatMapThree, library) { n in
            let total = total
            _ = (0..<n).publisher.flatMap { ($0..<$0 &+ 3).publisher }.sink { mix($0, into: total) }
        },
        Work(.switchToLatest, library) { n in
            let total = total
            _ = (0..<n).publisher.map { Just($0 &+ 1) }.switchToLatest().sink { mix($0, into: total) }
        },
    ]
}
