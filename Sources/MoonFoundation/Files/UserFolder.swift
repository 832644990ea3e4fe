#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A kind of folder that each user has for each program; where it is, the system says.
///
/// ```swift
/// let store = try FileStore(in: .data, application: "basket")
/// ```
/// The XDG variables decide where they are set, as their specification has it: an empty or relative one does not count.
/// Otherwise it is the usual place under `HOME`: `~/.local/share`, `~/.config`, `~/.local/state` and `~/.cache`, on
/// Apple's systems `~/Library/Application Support` and `~/Library/Caches`.
public enum UserFolder: String, CaseIterable, Sendable {
    /// What the user made, and would miss.
    case data
    /// How the user wants the program to be.
    case settings
    /// What the program remembers, but nobody would miss for long.
    case state
    /// What can be had again.
    case cache

    var variable: String {
        switch self {
        case .data: "XDG_DATA_HOME"
        case .settings: "XDG_CONFIG_HOME"
        case .state: "XDG_STATE_HOME"
        case .cache: "XDG_CACHE_HOME"
        }
    }

    var placeInHome: String {
        #if canImport(Darwin)
            return self == .cache ? "Library/Caches" : "Library/Application Support"
        #else
            return switch self {
            case .data: ".local/share"
            case .settings: ".config"
            case .state: ".local/state"
            case .cache: ".cache"
            }
        #endif
    }
}

extension FileStore {
    /// A store in a program's own folder of the user's.
    ///
    /// - Parameters:
    ///   - place: Which kind of folder.
    ///   - application: The program's name, which is the folder's.
    ///   - environment: Where to look for the variables; the process's own by default.
    /// - Throws: `badName` if the program's name cannot be a folder's; `folderNotUsable` if no variable says where to
    ///   go.
    public init(
        in place: UserFolder, application: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(FileStoreError) {
        if let fault = Self.fault(in: application) { throw .badName(application, reason: fault) }
        if let folder = environment[place.variable], folder.hasPrefix("/") {
            self.init(folder: folder + "/" + application)
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            self.init(folder: home + "/" + place.placeInHome + "/" + application)
        } else {
            throw .folderNotUsable(path: application, reason: "neither \(place.variable) nor HOME is an absolute path")
        }
    }
}
