import Foundation
import MoonFoundation
import MoonlightTestSupport
import Testing

/// Runs each operation on a separate thread, since an endless loop on the test's thread could not be reported.
@Suite("Termination of operations on collections, files and decimals", .serialized)
struct TerminationTests {
    @Test("Moving an element ends for any source and destination")
    func moves() {
        let results = Recorder<[Int]>()
        let ended = ends {
            for source in 0..<4 {
                for destination in -1..<5 {
                    var list = [0, 1, 2, 3]
                    list.move(source, to: destination)
                    results.append(list)
                }
            }
        }
        expect(ended)
        expect(results.all.allSatisfy { $0.sorted() == [0, 1, 2, 3] })
        expectEqual(results.last, [0, 1, 2, 3])
        expectEqual(results.all.first, [0, 1, 2, 3])
    }

    @Test("The search for a file at a folder's path ends at any depth")
    func fileInTheWay() throws {
        let folder = TemporaryFolder()
        try folder.place("", at: "file")
        let (path, errors) = (folder.path, Recorder<String>())
        let ended = ends {
            do {
                try FileStore(folder: path + "/file/a/b/c").write(1, named: "x")
            } catch { errors.append("\(error)") }
        }
        expect(ended)
        expectEqual(errors.all, ["cannot use the folder \(path)/file: it is a file"])
    }

    @Test("Calculations with decimals end for any number of trailing zeros")
    func decimals() {
        let results = Recorder<Decimal>()
        let ended = ends {
            for number in [Decimal(0), 1, 100, 1_200] {
                for other in [Decimal(10), 25, -4_000] {
                    results.append(number.multiplied(by: other).divided(by: other))
                    results.append(number.raised(to: 3).rounded(toPlaces: -1))
                }
            }
        }
        expect(ended)
        expectEqual(results.all.prefix(2), [0, 0])
        expectEqual(results.all.suffix(2), [1_200, 1_728_000_000])
    }
}
