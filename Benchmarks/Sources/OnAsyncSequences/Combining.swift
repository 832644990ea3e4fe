// Over sequences, which are never late: less work than over subjects.

func combining() -> [Work] {
    [
        Work(.merge, .asyncSequences) { n in
            let part = (0..<(n / 4)).async
            blocking { await merge(merge(part, part), merge(part, part)).consume() }
        },
        Work(.combineLatest, .asyncSequences) { n in
            let part = (0..<(n / 3)).async
            blocking { await combineLatest(part, part, part).map { $0 &+ $1 &+ $2 }.consume() }
        },
        Work(.zip, .asyncSequences) { n in
            let part = (0..<n).async
            blocking { await zip(part, part).map { $0 &+ $1 }.consume() }
        },
    ]
}
