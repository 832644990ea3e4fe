/// The short scripts.
enum Scripts {
    /// The maximal length. Each additional step takes about five times as long.
    private static let extra = 0

    /// One upstream, and no time.
    static let single: [Script] = whole + portions + portionsOfStore + inside + broken + atStart
    /// Two upstreams, in all orders of their events.
    static let double: [Script] = turns + turnsInPortions + turnsInside + broken + atStart
    /// One upstream, and ticks of time.
    static let timed: [Script] = single + ticking
    /// No upstream.
    static let alone: [Script] =
        sensible([.request(1), .request(2), .request(.everything), .cancel], upTo: 3).flatMap { steps in
            [0, 1].flatMap { crossed(Script(returned: $0, steps: steps), [.cold], demands: [0, 1, 2, .everything]) }
        } + (inside + atStart).filter { $0.manners == .cold }
    /// Ready lists with a completion.
    static let ended: [Script] =
        words([.value(1), .value(2), .value(3)], upTo: 3).flatMap { values in
            [Script(ready: values + [.finish()]), Script(ready: values + [.fail()])]
        }
    /// A few of those for one upstream, for chains of several operators.
    static let few: [Script] = single.indices.filter { $0 % 101 == 0 }.map { single[$0] }

    // MARK: The parts

    /// All lists of 1, 2 and 3 with each completion, for a subscriber that requests everything.
    private static let whole: [Script] = words([.value(1), .value(2), .value(3)], upTo: 4).flatMap { values in
        ends.flatMap { end in
            [
                Script(manners: .cold, ready: values + end),
                Script(manners: .pushing, steps: values + end),
            ]
        }
    }

    /// Events of an upstream, requests and a cancellation in every order.
    private static let portions: [Script] =
        sensible([next, .finish(), .fail(), .request(1), .cancel], upTo: 4).flatMap {
            crossed(Script(steps: $0), [.cold, .lossy, .pushing], demands: [0, 1])
        }
        + sensible([next, .finish(), .fail(), .request(1), .cancel], upTo: 3).flatMap {
            crossed(Script(returned: 1, steps: $0), [.cold, .lossy, .pushing], demands: [0, 1, 2])
        }

    /// Ready values of an upstream, with each kind of request.
    private static let portionsOfStore: [Script] =
        sensible([.request(1), .request(2), .cancel], upTo: 3).flatMap { steps in
            [[], [1], [2, 2, 1], [1, 2, 2, 3, 3]].flatMap { values in
                ends.flatMap { end in
                    [0, 1].flatMap { returned in
                        crossed(
                            Script(returned: returned, ready: values.map { .value($0) } + end, steps: steps), [.cold],
                            demands: [0, 1])
                    }
                }
            }
        }

    /// Actions during a delivery.
    private static let inside: [Script] = [0, 1].flatMap { position in
        deeds.flatMap { deeds in
            ends.flatMap { end in
                [0, 1].flatMap { returned in
                    let list: [Action] = [1, 2, 3].map { .value($0) } + end
                    let script = Script(returned: returned, inside: (position, deeds))
                    var (cold, pushing) = (script, script)
                    cold.ready = list
                    pushing.steps = list
                    return crossed(cold, [.cold], demands: [1, .everything])
                        + crossed(pushing, [.pushing], demands: [1, .everything])
                }
            }
        }
    }

    private static let deeds: [[Action]] = [
        [.cancel], [.request(1)], [.value(2)], [.finish()], [.fail()], [.value(2), .value(1)], [.value(2), .finish()],
        [.value(1), .cancel], [.cancel, .value(1)], [.request(1), .fail()], [.finish(), .cancel],
        [.request(2), .cancel],
    ]

    /// Upstreams that continue after their completion or cancellation, or send a second subscription.
    private static let broken: [Script] =
        words([next, .finish(), .fail(), .subscribeAgain, .cancel], upTo: 4)
        .filter { word in
            let end = word.firstIndex(where: \.isEnd) ?? word.count
            return word.contains(where: \.isSubscription) || end < word.count - 1
        }
        .flatMap { word in
            crossed(
                Script(steps: numbered(word)), [.broken], demands: word.count < 4 ? [0, 1, .everything] : [.everything])
        }

    /// A cancellation before any other action.
    private static let atStart: [Script] = ends.flatMap { end in
        crossed(
            Script(
                cancelsAtStart: true, ready: [.value(1), .value(2)] + end,
                steps: [.value(3), .request(1), .finish()]), Manners.allCases, demands: [0, 1, .everything])
    }

    /// Two upstreams, in every order.
    private static let turns: [Script] =
        sensible([next, nextOfSecond, .finish(), .finish(by: 1), .fail(by: 1)], upTo: 6).flatMap {
            crossed(Script(steps: $0), [.pushing], demands: [.everything])
        }

    /// The same for a subscriber that requests few values.
    private static let turnsInPortions: [Script] =
        sensible([next, nextOfSecond, .finish(), .finish(by: 1), .fail(), .request(1), .cancel], upTo: 4).flatMap {
            crossed(Script(steps: $0), [.cold, .pushing], demands: [0])
                + crossed(Script(returned: 1, steps: $0), [.cold], demands: [1])
        }

    /// Actions during a delivery, among them sending by the other upstream.
    private static let turnsInside: [Script] = [0, 1].flatMap { position in
        words([nextOfSecond, next, .finish(by: 1), .fail(by: 1), .cancel, .request(1)], upTo: 2).flatMap { deeds in
            sensible([next, nextOfSecond], upTo: 3).flatMap { word in
                let script = Script(inside: (position, numbered(deeds)), steps: word + [.finish()])
                return crossed(script, [.pushing], demands: [1, .everything])
            }
        }
    }

    /// Ticks of time between events.
    private static let ticking: [Script] =
        sensible([next, .finish(), .fail(), .tick, .cancel], upTo: 6).filter { $0.contains(where: \.isTick) }.flatMap {
            crossed(Script(steps: $0), [.pushing], demands: [.everything])
        }
        + sensible([next, .finish(), .tick, .request(1)], upTo: 4).filter { $0.contains(where: \.isTick) }.flatMap {
            crossed(Script(steps: $0), [.cold, .pushing], demands: [0, 1])
        }

    // MARK: Making them

    /// A placeholder for the next value: 1, 2, 2, 3, 1, …, by the second upstream 11, 12, 12, 13, …
    private static let next = Action.value(0)
    private static let nextOfSecond = Action.value(0, by: 1)
    private static let ends: [[Action]] = [[], [.finish()], [.fail()]]

    /// All words over an alphabet, up to a length, shortest first, all prefixes of which satisfy a condition.
    private static func words(
        _ alphabet: [Action], upTo length: Int, where isIncluded: ([Action]) -> Bool = { _ in true }
    ) -> [[Action]] {
        var (all, longest): ([[Action]], [[Action]]) = ([[]], [[]])
        for _ in 0..<length + extra {
            longest = longest.flatMap { word in alphabet.map { word + [$0] }.filter(isIncluded) }
            all += longest
        }
        return all
    }

    /// The words in which each upstream completes at most once and sends nothing after that, and the subscriber cancels at most
    /// once.
    private static func sensible(_ alphabet: [Action], upTo length: Int) -> [[Action]] {
        words(alphabet, upTo: length, where: isSensible).map(numbered)
    }

    /// Replaces the placeholders by values.
    private static func numbered(_ word: [Action]) -> [Action] {
        var counts = [0, 0]
        return word.map { action in
            guard case .send(.value(0), let feed) = action else { return action }
            counts[feed] += 1
            return .value([1, 2, 2, 3][(counts[feed] - 1) % 4] + feed * 10, by: feed)
        }
    }

    private static func isSensible(_ word: [Action]) -> Bool {
        var ended: Set<Int> = []
        var isCancelled = false
        for action in word {
            switch action {
            case .send(let event, let feed):
                if ended.contains(feed) { return false }
                if case .end = event { ended.insert(feed) }
            case .cancel:
                if isCancelled { return false }
                isCancelled = true
            default: break
            }
        }
        return true
    }

    /// Returns a script for each of several kinds of upstreams and demands.
    private static func crossed(_ script: Script, _ manners: [Manners], demands: [Int]) -> [Script] {
        manners.flatMap { manners in
            demands.map { demand in
                var script = script
                (script.manners, script.demand) = (manners, demand)
                return script
            }
        }
    }
}

extension Action {
    var isEnd: Bool { if case .send(.end, _) = self { true } else if case .cancel = self { true } else { false } }
    var isSubscription: Bool { if case .subscribeAgain = self { true } else { false } }
    var isTick: Bool { if case .tick = self { true } else { false } }
}
