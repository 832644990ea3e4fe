import MoonlightTestSupport
import Testing

@testable import Moonlight

@Suite("Register of jobs")
struct JobRegisterTests {
    @Test("Queued jobs that are cancelled while one runs leave the queue, and the others keep their order")
    func cancelled() {
        var register = JobRegister()
        let id = JobID("q")
        func newJob() -> JobInFlight { JobInFlight(id: id, in: EffectOrigin(LoopContext(name: nil)), begin: { _ in }) }
        func admit(_ job: JobInFlight) {
            let seen = register[id.hashValue]
            _ = register.admit(job, id, id.hashValue, .queue, to: seen.first, of: seen)
        }
        let jobs = (0..<3).map { _ in newJob() }
        for job in jobs {
            admit(job)
            for _ in 0..<200 {
                let cancelled = newJob()
                admit(cancelled)
                let removal = register.remove(cancelled)
                expect(removal.wasThere && removal.next == nil)
            }
        }
        expectEqual(register.all.map(\.isWaiting), [false, true, true])
        expect(register.remove(jobs[0]).next === jobs[1])
        expect(register.remove(jobs[1]).next === jobs[2])
        expect(register.remove(jobs[2]).next == nil)
    }
}
