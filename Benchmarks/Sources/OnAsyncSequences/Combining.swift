// Over sequences that are always ready: less work than over subjects.

func combining() -> [Work] {
    [
        Work(.merge, .asyncSequences) { n in
            let part = (0..<(n / 4)).async
            blocking {
                let total = total
                for await value in merge(merge(part, part), merge(part, part)) { mix(value, into: total) }
            }
        },
        Work(.combineLatest, .asyncSequences) { n in
            let part = (0..<(n / 3)).async
            blocking {
                let total = total
                for await (a, b, c) in combineLatest(part, part, part) { mix(a &+ b &+ c, into: total) }
            }
        },
        Work(.zip, .asyncSequences) { n in
            let part = (0..<n).async
            blocking {
                let total = total
                for await (a, b) in zip(part, part) { mix(a &+ b, into: total) }
            }
        },
    ]
}
