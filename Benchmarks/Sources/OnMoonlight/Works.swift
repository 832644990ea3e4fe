/// All that is measured; in this order the rows are shown.
package func moonlightWorks() -> [Work] {
    let operators = chains() + subjects() + flattening() + combining() + subscribing() + generic() + onMainActor()
    return operators + loops() + stores() + answers() + composition() + frames() + journal()
}
