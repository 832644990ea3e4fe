import MoonFoundation
import MoonlightTestSupport
import Testing

@Suite("UserFolder: folders for a user's files")
struct UserFolderTests {
    @Test(
        "The XDG variable determines the folder",
        arguments: [
            (UserFolder.data, "XDG_DATA_HOME"), (.settings, "XDG_CONFIG_HOME"), (.state, "XDG_STATE_HOME"),
            (.cache, "XDG_CACHE_HOME"),
        ])
    func variable(place: UserFolder, variable: String) throws {
        let store = try FileStore(in: place, application: "moon", environment: [variable: "/x", "HOME": "/home/ada"])
        expectEqual(store.folder, "/x/moon")
    }

    @Test("The folder is under HOME if the XDG variable is missing, empty or relative", arguments: ["", "x/y", nil])
    func home(variable: String?) throws {
        let environment = ["HOME": "/home/ada", "XDG_CACHE_HOME": variable].compactMapValues { $0 }
        let store = try FileStore(in: .cache, application: "moon", environment: environment)
        #if canImport(Darwin)
            expectEqual(store.folder, "/home/ada/Library/Caches/moon")
        #else
            expectEqual(store.folder, "/home/ada/.cache/moon")
        #endif
    }

    @Test("A path is absolute if a combining mark joins its slash", arguments: ["XDG_DATA_HOME", "HOME"])
    func combiningMark(variable: String) throws {
        let folder = try FileStore(in: .data, application: "moon", environment: [variable: "/\u{301}x"]).folder
        expect(folder.unicodeScalars.starts(with: "/\u{301}x/".unicodeScalars))
    }

    @Test("Each kind of folder has its own variable")
    func variables() throws {
        let folders = try [UserFolder.data, .settings, .state, .cache].map { place in
            try FileStore(
                in: place, application: "moon",
                environment: [
                    "XDG_DATA_HOME": "/a", "XDG_CONFIG_HOME": "/b", "XDG_STATE_HOME": "/c", "XDG_CACHE_HOME": "/d",
                ]
            ).folder
        }
        expectEqual(folders, ["/a/moon", "/b/moon", "/c/moon", "/d/moon"])
    }

    @Test("A folder without a variable and without HOME is an error, and so is a name that leads out of it")
    func failures() {
        #expect(
            throws: FileStoreError.folderNotUsable(
                path: "moon", reason: "neither XDG_DATA_HOME nor HOME is an absolute path")
        ) { try FileStore(in: .data, application: "moon", environment: [:]) }
        #expect(throws: FileStoreError.badName("../moon", reason: "it starts with a dot")) {
            try FileStore(in: .data, application: "../moon", environment: ["HOME": "/"])
        }
    }
}
