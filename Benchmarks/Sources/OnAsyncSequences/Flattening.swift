// One sequence per value. `flatMapLatest` would drop values of a fast source, which is different work.

func flattening() -> [Work] {
    [
        Work(.flatMapJust, .asyncSequences) { n in
            blocking {
                let total = total
                for await value in (0..<n).async.flatMap({ CollectionOfOne($0 &+ 1).async }) { mix(value, into: total) }
            }
        },
        Work(.flatMapThree, .asyncSequences) { n in
            blocking {
                let total = total
                for await value in (0..<n).async.flatMap({ ($0..<$0 &+ 3).async }) { mix(value, into: total) }
            }
        },
    ]
}
