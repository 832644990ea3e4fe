extension StringProtocol {
    /// The cells that the text takes in a row of a terminal, as Unicode's data tell: 2 for `"日"` and `"👩‍👩‍👧"`, 1 for `"é"`.
    ///
    /// Ambiguous characters count as narrow. A tabulator reaches to the next multiple of 8, counted from where the text begins.
    /// Control characters take a cell each, as they are shown as pictures: see <doc:Terminals-and-widths>. O(n).
    public var columns: Int {
        var columns = 0
        VisibleText.scan(self) { part in
            columns &+= part.columns
            return true
        }
        return columns
    }
}
