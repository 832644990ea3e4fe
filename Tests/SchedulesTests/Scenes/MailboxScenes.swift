import MoonlightTestSupport
import Streams
import Testing

extension Schedules {
    @Suite("The mailbox") struct MailboxScenes {
        /// A user of a mailbox whose items are numbers.
        private final class Office: @unchecked Sendable {
            // Sound: the mailbox makes one thread at a time the owner of all other state.
            let mailbox = Mailbox<Int>()
            private var batch: [Int] = []
            private var isBusy = false
            private(set) var handled: [Int] = []
            private(set) var overlaps = 0
            /// The thread that posted each item, and the items that another posting thread handled.
            private var senders: [Int: UInt] = [:]
            private(set) var strangers: [Int] = []
            /// The items that are posted while an item is handled.
            private let answers: [Int: [Int]]

            init(answers: [Int: [Int]] = [:]) { self.answers = answers }

            func take(_ item: Int) {
                senders[item] = currentThread()
                if mailbox.enter() {
                    handle(item)
                    if !mailbox.leave() { work(within: nil) }
                } else if mailbox.post(item) {
                    work(within: nil)
                }
            }

            private func work(within slice: TimeSlice?) {
                if mailbox.work(within: slice, &batch, { handle($0) }) { return }
                runDetached { [self] in work(within: TimeSlice()) }
            }

            private func handle(_ item: Int) {
                if isBusy { overlaps += 1 }
                isBusy = true
                SwitchPoint.reached()
                handled.append(item)
                let thread = currentThread()
                if senders[item] != thread, senders.values.contains(thread) { strangers.append(item) }
                for answer in answers[item] ?? [] {
                    take(answer)
                }
                isBusy = false
            }
        }

        @Test("A mailbox handles each item of two threads once, one at a time, each sender's in order")
        func twoSenders() {
            explore(preemptions: 3) { stage in Self.play(stage, [[1, 2], [101, 102]]) }
        }

        @Test("A mailbox handles each item of three threads once, one at a time, each sender's in order")
        func threeSenders() {
            explore { stage in Self.play(stage, [[1], [101, 102], [201]]) }
        }

        @Test("Items that are posted while an item is handled are handled once and afterwards, on whatever thread")
        func answers() {
            explore { stage in
                let office = Office(answers: [1: [10, 11], 101: [110]])
                stage.thread { office.take(1) }
                stage.thread { office.take(101) }
                stage.thread { office.take(201) }
                stage.afterwards { stage in
                    stage.expect(office.handled.sorted(), is: [1, 10, 11, 101, 110, 201], "handled")
                    stage.expect(office.overlaps, is: 0, "overlaps")
                    stage.expect(office.handled.filter { [1, 10, 11].contains($0) }, is: [1, 10, 11], "the first's order")
                    stage.expect(office.handled.filter { [101, 110].contains($0) }, is: [101, 110], "the second's order")
                    stage.expect(office.mailbox.enter(), "the mailbox is left idle")
                }
            }
        }

        private static func play(_ stage: Stage, _ senders: [[Int]]) {
            let office = Office()
            for items in senders { stage.thread { for item in items { office.take(item) } } }
            stage.afterwards { stage in
                stage.expect(office.handled.sorted(), is: senders.joined().sorted(), "handled")
                stage.expect(office.strangers, is: [], "handled by another's thread")
                stage.expect(office.overlaps, is: 0, "overlaps")
                for items in senders {
                    stage.expect(office.handled.filter { items.contains($0) }, is: items, "a sender's order")
                }
                stage.expect(office.mailbox.enter(), "the mailbox is left idle")
            }
        }
    }
}
