import Moonlight

extension PageContent {
    /// Returns the content as one HTML file that loads nothing, and works from disk.
    ///
    /// - Parameter updates: The path from which the page receives new content, as server-sent events with ``json()``,
    ///   relative to the path of the page; nil for a static page. The page passes its own query on.
    func html(updates: String? = nil) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\(updates == nil ? "" : "; connect-src 'self'")">
        <title>\(escaped(title.escapingControls))</title>
        <style>
        \(PageSource.style)
        </style>
        </head>
        <body>
        \(PageSource.body)
        <script type="application/json" id="data"\(updates.map { " data-updates=\"\(escaped($0))\"" } ?? "")>\(json())</script>
        <script>
        \(PageSource.script)
        \(PageSource.updates)
        </script>
        </body>
        </html>

        """
    }
}

/// Returns a text for the content of an HTML element, or of an attribute in quotes.
private func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}

/// The parts of a page that all recordings share.
enum PageSource {}
