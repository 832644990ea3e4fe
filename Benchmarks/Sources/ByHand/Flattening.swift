// One or two `for` loops.

func flattening() -> [Work] {
    [
        Work(.flatMapJust, .byHand) { n in
            let total = total
            for i in 0..<n { mix(i &+ 1, into: total) }
        },
        Work(.flatMapThree, .byHand) { n in
            let total = total
            for i in 0..<n { for j in i..<i &+ 3 { mix(j, into: total) } }
        },
        Work(.switchToLatest, .byHand) { n in
            let total = total
            for i in 0..<n { mix(i &+ 1, into: total) }
        },
    ]
}
