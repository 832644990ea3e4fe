import MoonlightTestSupport
import SampleLoopback
import Testing

@testable import DownloadSample

@Suite("Download: sources")
struct SourceTests {
    @Test(
        "A path stands behind file:, with or without an empty host, and its escapes are undone",
        arguments: [
            ("file:/a/b.bin", "/a/b.bin", "b.bin"), ("file:b.bin", "b.bin", "b.bin"),
            ("file:///a/b%20c", "/a/b c", "b c"), ("FILE://localhost/a", "/a", "a"), ("file:/100%", "/100%", "100%"),
        ])
    func file(text: String, path: String, name: String) throws {
        let source = try Source(text)
        expectEqual(source, .file(path))
        try expectEqual(source.name(), name)
    }

    @Test(
        "The name of a file from a server is the last part of its address",
        arguments: [
            ("http://localhost:8000/a/b.bin", "b.bin"), ("http://127.0.0.1/", "index.html"),
            ("http://[::1]:8000", "index.html"), ("http://localhost/a%20b?c=/d", "a b"),
        ])
    func http(text: String, name: String) throws {
        try expectEqual(Source(text).name(), name)
    }

    @Test(
        "A text that is no source is refused with a reason",
        arguments: [
            ("a.bin", "a source begins with file: or http://"), ("https://localhost/a", "a source begins with"),
            ("http://example.org/a", "only servers on this machine"), ("http://localhost:0/a", "'0' is no port"),
            ("http://localhost:99999/a", "'99999' is no port"), ("http://localhost/a b", "a character in its path"),
            ("file:", "there is no path"), ("file://elsewhere/a", "'elsewhere' is another machine"), ("", "a source"),
        ])
    func wrong(text: String, reason: String) {
        let fault = #expect(throws: Source.Fault.self) { try Source(text) }
        expectEqual(fault?.reason.hasPrefix(reason), true)
    }

    @Test(
        "A source whose last part cannot be the name of a file is refused",
        arguments: [
            "file:/", "file:..", "file:/a/.", "http://localhost/%2E%2E", "http://localhost/a%0Ab", "file:/a.part",
            "http://localhost/%FF", "file:/" + String(repeating: "x", count: 251),
        ])
    func wrongName(text: String) throws {
        let source = try Source(text)
        #expect(throws: Source.Fault.self) { try source.name() }
    }

    @Test("An escaped slash does not lead out of the folder")
    func escapedSlash() throws {
        try expectEqual(Source("http://localhost/..%2F..%2Fetc%2Fpasswd").name(), "passwd")
    }
}
