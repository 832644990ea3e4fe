import Foundation

/// Returns a path without a file.
func temporaryPath() -> String {
    FileManager.default.temporaryDirectory.appending(path: "moonlight-\(UUID().uuidString).moon").path
}

func removeFile(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
