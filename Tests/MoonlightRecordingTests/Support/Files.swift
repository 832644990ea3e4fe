import Foundation

/// A path at which no file is.
func temporaryPath() -> String {
    FileManager.default.temporaryDirectory.appending(path: "moonlight-\(UUID().uuidString).moon").path
}

func removeFile(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

/// How often something is tried: `MOONLIGHT_ROUNDS` times, if that is set.
func rounds(_ count: Int) -> Int { ProcessInfo.processInfo.environment["MOONLIGHT_ROUNDS"].flatMap { Int($0) } ?? count }
