import MoonlightTestSupport
import Testing

@testable import MoonlightDurability

/// The log in a folder, on a disk that crashes at each call that changes something.
@Suite("The log on a disk that crashes")
struct LogCrashTests {
    /// How many crashes the run is to have: `MOONLIGHT_CRASHES`.
    private static let crashes = environmentNumber("MOONLIGHT_CRASHES") ?? 6000
    private static let seed = environmentNumber("MOONLIGHT_SEED") ?? 1
    /// Whether the run is to be a thorough one.
    static var isLong: Bool { crashes >= 1_000_000 }

    @Test("After each crash, what is recovered is a prefix that holds everything acknowledged")
    func crashes() throws {
        var tried = 0
        var round = Self.seed
        while tried < Self.crashes {
            let program = LogProgram(seed: round)
            let whole = SimulatedDisk()
            _ = try program.run(on: whole)
            let calls = whole.calls
            var dice = Dice(seed: round)
            for crash in 1...calls {
                let disk = SimulatedDisk()
                disk.crash = crash
                let run = try program.run(on: disk)
                #expect(disk.isCrashed)
                let most = tried + max(200, Self.crashes / 20)
                try disk.contents.forEachImage(
                    &dice, while: { tried < min(Self.crashes, most) },
                    { image, dice in
                        tried += 1
                        try run.check(image, &dice, "MOONLIGHT_SEED=\(round), crash at \(crash)")
                    })
                if tried >= Self.crashes { break }
            }
            round += 1
        }
        #expect(tried == Self.crashes)
    }

    @Test("After each failure of the disk, the log goes on behind a snapshot, and nothing acknowledged is lost")
    func failures() throws {
        let faults: [SimulatedDisk.Fault] = [.fails(.full), .fails(.device), .isShort(0), .isShort(1), .isShort(17)]
        var tried = 0
        for round in 1...12 {
            let program = LogProgram(seed: round)
            let whole = SimulatedDisk()
            _ = try program.run(on: whole)
            let calls = whole.calls
            var dice = Dice(seed: round)
            for call in 1...calls {
                for fault in faults {
                    let disk = SimulatedDisk()
                    disk.faults = [call: fault]
                    let run = try program.run(on: disk)
                    var left = 12
                    try disk.contents.forEachImage(
                        &dice, while: { left > 0 },
                        { image, dice in
                            (left, tried) = (left - 1, tried + 1)
                            try run.check(image, &dice, "seed \(round), \(fault) at \(call)")
                        })
                }
            }
        }
        #expect(tried > 5000)
    }
}
