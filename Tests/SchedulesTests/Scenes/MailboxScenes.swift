import Streams
import Testing

extension Schedules {
    @Suite("The mailbox") struct MailboxScenes {
        /// Handles numbers by a mailbox, as its users do.
        private final class Office: @unchecked Sendable {
            // Sound: the mailbox makes one thread at a time the owner of all but itself.
            let mailbox = Mailbox<Int>()
            private var batch: [Int] = []
            private var isBusy = false
            private(set) var handled: [Int] = []
            private(set) var overlaps = 0

            func take(_ item: Int) {
                if mailbox.enter() {
                    handle(item)
                    if !mailbox.leave() { handleMail() }
                } else if mailbox.post(item) {
                    handleMail()
                }
            }

            private func handleMail() {
                repeat {
                    mailbox.collect(into: &batch)
                    batch.reverse()
                    while let item = batch.popLast() { handle(item) }
                } while !mailbox.leave()
            }

            private func handle(_ item: Int) {
                if isBusy { overlaps += 1 }
                isBusy = true
                SwitchPoint.reached()
                handled.append(item)
                isBusy = false
            }
        }

        @Test("handles each item of two threads once, one at a time, each sender's in order")
        func twoSenders() {
            explore(preemptions: 3) { stage in Self.play(stage, [[1, 2], [101, 102]]) }
        }

        @Test("handles each item of three threads once, one at a time, each sender's in order")
        func threeSenders() {
            explore { stage in Self.play(stage, [[1], [101, 102], [201]]) }
        }

        private static func play(_ stage: Stage, _ senders: [[Int]]) {
            let office = Office()
            for items in senders { stage.thread { for item in items { office.take(item) } } }
            stage.afterwards { stage in
                stage.expect(office.handled.sorted(), is: senders.joined().sorted(), "handled")
                stage.expect(office.overlaps, is: 0, "overlaps")
                for items in senders {
                    stage.expect(office.handled.filter { items.contains($0) }, is: items, "a sender's order")
                }
                stage.expect(office.mailbox.enter(), "the mailbox is left idle")
            }
        }
    }
}
