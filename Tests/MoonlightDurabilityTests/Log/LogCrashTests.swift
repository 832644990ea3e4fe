import MoonlightTestSupport
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// The log in a folder, on a disk that crashes at each changing call.
@Suite("A log on a disk that crashes")
struct LogCrashTests {
    private static let crashes = Budget.rounds(6000)

    @Test("A recovered log is a prefix with everything acknowledged, whichever call of the disk crashes")
    func crashes() throws {
        var (tried, round) = (0, Budget.seed)
        while tried < Self.crashes {
            let program = LogProgram(seed: round)
            let whole = SimulatedDisk()
            _ = try program.run(on: whole)
            var dice = Dice(seed: round)
            for crash in 1...whole.calls where tried < Self.crashes {
                let disk = SimulatedDisk()
                disk.crash = crash
                let run = try program.run(on: disk)
                expect(disk.isCrashed)
                let name = "MOONLIGHT_SEED=\(round), crash at \(crash)"
                // The quick tier tries one image of each crash, to have the crashes of several programs.
                guard Budget.isExhaustive else {
                    let image = disk.contents.image(&dice)
                    try run.check(image, &dice, name)
                    tried += 1
                    continue
                }
                let most = min(Self.crashes, tried + max(200, Self.crashes / 20))
                try disk.contents.forEachImage(
                    &dice, while: { tried < most },
                    { image, dice in
                        tried += 1
                        try run.check(image, &dice, name)
                    })
            }
            round += 1
        }
        expectEqual(tried, Self.crashes)
    }

    @Test(
        "A log resumes after a snapshot and any failure of the disk, and loses nothing acknowledged",
        arguments: Budget.seeds(12, least: 3))
    func failures(seed: Int) throws {
        let faults: [SimulatedDisk.Fault] = [.fails(.full), .fails(.device), .isShort(0), .isShort(1), .isShort(17)]
        let program = LogProgram(seed: seed)
        let whole = SimulatedDisk()
        _ = try program.run(on: whole)
        var dice = Dice(seed: seed)
        for call in 1...whole.calls {
            // The quick tier tries one fault at each call, and one image.
            for fault in Budget.isExhaustive ? faults : [faults[dice.roll(faults.count)]] {
                let disk = SimulatedDisk()
                disk.faults = [call: fault]
                let run = try program.run(on: disk)
                var images: [[String: [UInt8]]] = []
                disk.contents.forEachImage(&dice, while: { images.count < 12 }, { image, _ in images.append(image) })
                if !Budget.isExhaustive { images = [images[dice.roll(images.count)]] }
                for image in images { try run.check(image, &dice, "\(fault) at \(call)") }
            }
        }
    }
}
