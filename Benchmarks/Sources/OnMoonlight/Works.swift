/// All that is measured; in this order the rows are shown.
package func moonlightWorks() -> [Work] {
    chains() + subjects() + flattening() + combining() + subscribing() + loops() + stores() + composition() + journal()
}
