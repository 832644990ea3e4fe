import Foundation

/// A path at which no file is.
func temporaryPath() -> String {
    FileManager.default.temporaryDirectory.appending(path: "moonlight-\(UUID().uuidString).moon").path
}

func removeFile(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
