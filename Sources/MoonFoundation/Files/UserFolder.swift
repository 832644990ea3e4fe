#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A kind of folder that each user has for each program. The system determines where it is.
///
/// ```swift
/// let store = try FileStore(in: .data, application: "basket")
/// ```
///
/// The variables of the XDG Base Directory Specification take precedence where they are set to an absolute path. Otherwise the
/// folder is at the usual place under `HOME`: `~/.local/share`, `~/.config`, `~/.local/state` and `~/.cache`; on Apple platforms
/// `~/Library/Application Support` and, for the cache, `~/Library/Caches`.
public enum UserFolder: Sendable {
    /// Files that the user created and would miss.
    case data
    /// The user's preferences.
    case settings
    /// Files that the program keeps between runs, and whose loss is a small inconvenience.
    case state
    /// Files that can be computed or fetched again.
    case cache

    /// The XDG variable that determines the folder.
    var variable: String {
        switch self {
        case .data: "XDG_DATA_HOME"
        case .settings: "XDG_CONFIG_HOME"
        case .state: "XDG_STATE_HOME"
        case .cache: "XDG_CACHE_HOME"
        }
    }

    /// The path of the folder relative to `HOME`.
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
    /// Creates a store in a program's own folder for the current user.
    ///
    /// - Parameters:
    ///   - place: The kind of folder.
    ///   - application: The name of the program and of its folder.
    ///   - environment: The variables that determine the folder; by default those of the process.
    /// - Throws: `badName` if the program's name cannot be that of a folder; `folderNotUsable` if no variable determines the
    ///   folder.
    public init(
        in place: UserFolder, application: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(FileStoreError) {
        if let fault = Self.fault(in: application) { throw .badName(application, reason: fault) }
        if let folder = environment[place.variable], folder.unicodeScalars.first == "/" {
            self.init(folder: folder + "/" + application)
        } else if let home = environment["HOME"], home.unicodeScalars.first == "/" {
            self.init(folder: home + "/" + place.placeInHome + "/" + application)
        } else {
            throw .folderNotUsable(path: application, reason: "neither \(place.variable) nor HOME is an absolute path")
        }
    }
}
