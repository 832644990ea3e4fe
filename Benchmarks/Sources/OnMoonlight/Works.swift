/// Returns all measured work, in the order of the table.
package func moonlightWorks() -> [Work] {
    let operators = chains() + subjects() + flattening() + combining() + subscribing() + generic() + onMainActor()
    return operators + loops() + stores() + answers() + composition() + frames() + journal()
}
