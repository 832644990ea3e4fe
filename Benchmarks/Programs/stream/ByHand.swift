var state = 0
for event in [1, 2, 3] {
    state += event
    print(state)
}
