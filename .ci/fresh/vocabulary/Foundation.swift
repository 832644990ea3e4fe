import Foundation
import MoonFoundation

func checkFoundation() throws {
    let folder = NSTemporaryDirectory() + "moonlight-fresh-\(ProcessInfo.processInfo.processIdentifier)"
    let store = FileStore(folder: folder)
    try store.write([1, 2], named: "numbers")
    check("FileStore", try store.read([Int].self, named: "numbers"), [1, 2])
    try FileManager.default.removeItem(atPath: folder)
    var pager = Pager<Int, Never>(pageSize: 2)
    if let request = pager.requestNext() { pager.receive([1, 2], for: request) }
    check("Pager", pager.items, [1, 2])
    check("Decimal", Decimal(2).raised(to: 3), 8)
}
