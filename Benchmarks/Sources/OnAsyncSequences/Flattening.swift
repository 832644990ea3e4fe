// A sequence for each value. A flatMapLatest would drop what its source outruns, which is other work.

func flattening() -> [Work] {
    [
        Work(.flatMapJust, .asyncSequences) { n in
            blocking { await (0..<n).async.flatMap { CollectionOfOne($0 &+ 1).async }.consume() }
        },
        Work(.flatMapThree, .asyncSequences) { n in
            blocking { await (0..<n).async.flatMap { ($0..<$0 &+ 3).async }.consume() }
        },
    ]
}
